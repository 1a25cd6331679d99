/// What a fetch in the background has found. Nobody asks.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData
  case noData
  case failed
}
