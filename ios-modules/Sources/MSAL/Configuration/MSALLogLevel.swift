public enum MSALLogLevel: Int, Sendable {
  case nothing
  case error
  case warning
  case info
  case verbose

  public static var last: MSALLogLevel { .verbose }
}
