/// What a call for a token takes in which nobody is asked.
open class MSALSilentTokenParameters: MSALTokenParameters, @unchecked Sendable {
  /// Without effect: each call asks the token service.
  open var forceRefresh = false
  /// Without effect: there is no SSO extension.
  open var allowUsingLocalCachedRtWhenSsoExtFailed = true

  public init(scopes: [String], account: MSALAccount) {
    super.init(scopes: scopes)
    self.account = account
  }

  override var ineffective: [String] {
    super.ineffective
      + (allowUsingLocalCachedRtWhenSsoExtFailed
        ? [] : ["allowUsingLocalCachedRtWhenSsoExtFailed"])
  }
}
