/// The result of a background fetch. It has no effect.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData
  case noData
  case failed
}
