/// What a call for a token takes in which the user signs in.
open class MSALInteractiveTokenParameters: MSALTokenParameters, @unchecked Sendable {
  /// The user always signs in: what asks for less or for consent is without effect.
  open var promptType = MSALPromptType.default
  /// The account that the sign-in proposes; it goes before ``MSALTokenParameters/account``.
  open var loginHint: String?
  /// Without effect.
  open var domainHint: String?
  /// Without effect: the device's service grants all scopes.
  open var extraScopesToConsent: [String]?
  /// Without effect.
  open var preferredAuthMethod = MSALPreferredAuthMethod.none
  public let webviewParameters: MSALWebviewParameters

  public init(scopes: [String], webviewParameters: MSALWebviewParameters) {
    self.webviewParameters = webviewParameters.copied
    super.init(scopes: scopes)
  }

  /// nil: the sign-in proposes nobody.
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
