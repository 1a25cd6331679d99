public enum MSALPromptType: UInt, Sendable {
  case selectAccount
  case login
  case consent
  case create
  case promptIfNecessary

  public static var `default`: MSALPromptType { .promptIfNecessary }
}
