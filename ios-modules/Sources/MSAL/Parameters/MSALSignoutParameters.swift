/// The parameters of a sign-out.
open class MSALSignoutParameters: MSALParameters, @unchecked Sendable {
  /// nil after `init()`, as in Objective-C, which does not document it.
  public let webviewParameters: MSALWebviewParameters!
  /// Has no effect: there is no browser session.
  open var signoutFromBrowser = false
  /// Whether the account is removed from all clients of the app instead of only the called one.
  open var wipeAccount = false
  /// Whether all accounts of the app are removed.
  open var wipeCacheForAllAccounts = false
  /// Has no effect.
  open var extraQueryParameters: [String: String]?

  public override init() {
    webviewParameters = nil
    super.init()
  }

  public init(webviewParameters: MSALWebviewParameters) {
    self.webviewParameters = webviewParameters.copied
    super.init()
  }

  /// The names of settings that are set but have no effect here.
  var ineffective: [String] {
    [
      signoutFromBrowser ? "signoutFromBrowser" : nil,
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
