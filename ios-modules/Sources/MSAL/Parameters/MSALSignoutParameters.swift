/// What a sign-out takes.
open class MSALSignoutParameters: MSALParameters, @unchecked Sendable {
  /// nil after `init()`, as in Objective-C, which does not say so.
  public let webviewParameters: MSALWebviewParameters!
  /// Without effect: there is no browser that could keep the account.
  open var signoutFromBrowser = false
  /// Whether the account leaves all clients of the app, and not only the one that is called.
  open var wipeAccount = false
  /// Whether all accounts of the app leave.
  open var wipeCacheForAllAccounts = false
  /// Without effect.
  open var extraQueryParameters: [String: String]?

  public override init() {
    webviewParameters = nil
    super.init()
  }

  public init(webviewParameters: MSALWebviewParameters) {
    self.webviewParameters = webviewParameters.copied
    super.init()
  }

  /// The names of what is set, and does nothing here.
  var ineffective: [String] {
    [
      signoutFromBrowser ? "signoutFromBrowser" : nil,
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
