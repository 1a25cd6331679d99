public import Foundation

/// The configuration of a client application. An application copies it on creation, so later changes have no
/// effect on it.
open class MSALPublicClientApplicationConfig: NSObject, NSCopying, @unchecked Sendable {
  open var clientId: String
  /// The redirect URI; nil for `msauth.<bundle id>://auth`.
  open var redirectUri: String?
  /// Has no effect.
  open var nestedAuthBrokerClientId: String?
  /// Has no effect.
  open var nestedAuthBrokerRedirectUri: String?
  open var authority: MSALAuthority
  /// Has no effect: authorities are not validated over the network.
  open var knownAuthorities: [MSALAuthority] = []
  /// Has no effect.
  open var extendedLifetimeEnabled = false
  /// The capabilities of the client. Conditional access with an app protection policy requires `protapp`, in
  /// any case.
  open var clientApplicationCapabilities: [String]?
  /// In seconds. Has no effect: each call sends a request to the token service.
  open var tokenExpirationBuffer = MSALPublicClientApplicationConfig.defaultExpirationBuffer
  public let cacheConfig: MSALCacheConfig
  /// Has no effect.
  open var sliceConfig: MSALSliceConfig?
  /// Has no effect.
  open var multipleCloudsSupported = false
  /// Whether any redirect URI is accepted.
  open var bypassRedirectURIValidation = false

  private static let defaultExpirationBuffer = 300.0
  private static let defaultAuthority = "https://login.microsoftonline.com/common"

  public convenience init(clientId: String) {
    self.init(clientId: clientId, redirectUri: nil, authority: nil)
  }

  /// - Parameter authority: the authority; nil for any account of Microsoft's public cloud.
  public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
    self.init(
      clientId: clientId, redirectUri: redirectUri, authority: authority,
      nestedAuthBrokerClientId: nil, nestedAuthBrokerRedirectUri: nil)
  }

  /// - Parameter authority: the authority; nil for any account of Microsoft's public cloud.
  public convenience init(
    clientId: String, redirectUri: String?, authority: MSALAuthority?,
    nestedAuthBrokerClientId: String?, nestedAuthBrokerRedirectUri: String?
  ) {
    self.init(clientId: clientId, authority: authority, cacheConfig: MSALCacheConfig())
    self.redirectUri = redirectUri
    self.nestedAuthBrokerClientId = nestedAuthBrokerClientId
    self.nestedAuthBrokerRedirectUri = nestedAuthBrokerRedirectUri
  }

  private init(clientId: String, authority: MSALAuthority?, cacheConfig: MSALCacheConfig) {
    self.clientId = clientId
    self.cacheConfig = cacheConfig
    self.authority =
      authority ?? MSALAADAuthority(normalized: URL(string: Self.defaultAuthority)!)
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = MSALPublicClientApplicationConfig(
      clientId: clientId, authority: authority, cacheConfig: cacheConfig.copied)
    copy.redirectUri = redirectUri
    copy.nestedAuthBrokerClientId = nestedAuthBrokerClientId
    copy.nestedAuthBrokerRedirectUri = nestedAuthBrokerRedirectUri
    copy.knownAuthorities = knownAuthorities
    copy.extendedLifetimeEnabled = extendedLifetimeEnabled
    copy.clientApplicationCapabilities = clientApplicationCapabilities
    copy.tokenExpirationBuffer = tokenExpirationBuffer
    copy.sliceConfig = sliceConfig?.copy() as? MSALSliceConfig
    copy.multipleCloudsSupported = multipleCloudsSupported
    copy.bypassRedirectURIValidation = bypassRedirectURIValidation
    return copy
  }

  /// The names of settings that are set but have no effect here.
  var ineffective: [String] {
    [
      nestedAuthBrokerClientId == nil ? nil : "nestedAuthBrokerClientId",
      nestedAuthBrokerRedirectUri == nil ? nil : "nestedAuthBrokerRedirectUri",
      knownAuthorities.isEmpty ? nil : "knownAuthorities",
      extendedLifetimeEnabled ? "extendedLifetimeEnabled" : nil,
      tokenExpirationBuffer == Self.defaultExpirationBuffer ? nil : "tokenExpirationBuffer",
      sliceConfig == nil ? nil : "sliceConfig",
      multipleCloudsSupported ? "multipleCloudsSupported" : nil,
      cacheConfig.isDefault ? nil : "keychainSharingGroup",
    ].compactMap { $0 }
  }
}
