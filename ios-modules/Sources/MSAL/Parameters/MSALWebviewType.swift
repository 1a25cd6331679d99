/// The type of browser for the sign-in.
public enum MSALWebviewType: Int, Sendable {
  case `default`
  case authenticationSession
  case safariViewController
  case wkWebView
}
