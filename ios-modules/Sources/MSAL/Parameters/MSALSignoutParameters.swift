open class MSALSignoutParameters: MSALParameters, @unchecked Sendable {
  /// The presentation of the sign-out. It is nil after `init()`, as in Objective-C, which does not
  /// document it.
  public let webviewParameters: MSALWebviewParameters!
  /// This property has no effect, because there is no browser session.
  open var signoutFromBrowser = false
  /// Whether the account is removed from all clients of the app, and not only from the client that
  /// is called.
  open var wipeAccount = false
  /// Whether all accounts are removed from the app.
  open var wipeCacheForAllAccounts = false
  /// This property has no effect.
  open var extraQueryParameters: [String: String]?

  public override init() {
    webviewParameters = nil
    super.init()
  }

  public init(webviewParameters: MSALWebviewParameters) {
    self.webviewParameters = webviewParameters.copied
    super.init()
  }

  /// The names of settings that were set but have no effect.
  var ineffective: [String] {
    [
      signoutFromBrowser ? "signoutFromBrowser" : nil,
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
