open class MSALSignoutParameters: MSALParameters, @unchecked Sendable {
  /// The presentation of the sign-out. After `init()`, it is nil, as in the Objective-C library;
  /// the library's documentation does not mention this.
  public let webviewParameters: MSALWebviewParameters!
  /// This property has no effect, because there is no browser session.
  open var signoutFromBrowser = false
  /// Whether the account is removed from all clients of the app. If false, it is removed only from
  /// the client on which the app calls `signout`.
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

  /// The names of settings that the app has set and that have no effect.
  var ineffective: [String] {
    [
      signoutFromBrowser ? "signoutFromBrowser" : nil,
      extraQueryParameters?.isEmpty == false ? "extraQueryParameters" : nil,
    ].compactMap { $0 }
  }
}
