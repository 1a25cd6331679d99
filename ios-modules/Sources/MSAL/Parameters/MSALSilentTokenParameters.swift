open class MSALSilentTokenParameters: MSALTokenParameters, @unchecked Sendable {
  /// This property has no effect, because each call sends a request to the token service.
  open var forceRefresh = false
  /// This property has no effect, because there is no SSO extension.
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
