/// In which browser the sign-in is shown.
public enum MSALWebviewType: Int, Sendable {
  case `default`
  case authenticationSession
  case safariViewController
  case wkWebView
}
