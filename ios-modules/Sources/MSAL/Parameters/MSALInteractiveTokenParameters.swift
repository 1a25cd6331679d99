open class MSALInteractiveTokenParameters: MSALTokenParameters, @unchecked Sendable {
  /// This property has no effect, because the user must sign in every time and is never asked for
  /// consent.
  open var promptType = MSALPromptType.default
  /// The suggested account. It takes precedence over ``MSALTokenParameters/account``.
  open var loginHint: String?
  /// This property has no effect.
  open var domainHint: String?
  /// This property has no effect, because the device's service grants all scopes.
  open var extraScopesToConsent: [String]?
  /// This property has no effect.
  open var preferredAuthMethod = MSALPreferredAuthMethod.none
  public let webviewParameters: MSALWebviewParameters

  public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
    self.webviewParameters = webviewParameters.copied
    super.init(scopes: scopes)
  }

  /// The suggested account; nil for none.
  var hint: String? { nonEmpty(loginHint) ?? account?.username }

  override var ineffective: [String] {
    let own = [
      [.consent, .create].contains(promptType) ? "promptType" : nil,
      nonEmpty(domainHint) == nil ? nil : "domainHint",
      extraScopesToConsent?.isEmpty == false ? "extraScopesToConsent" : nil,
      preferredAuthMethod == .none ? nil : "preferredAuthMethod",
    ]
    return super.ineffective + own.compactMap { $0 } + webviewParameters.ineffective
  }
}
