/// The result of a background fetch. Has no effect.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData
  case noData
  case failed
}
