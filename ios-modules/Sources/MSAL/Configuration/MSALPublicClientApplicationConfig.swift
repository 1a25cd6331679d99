public import Foundation

/// The configuration of a client application. The application copies it when it is created, so
/// later changes do not affect the application.
open class MSALPublicClientApplicationConfig: NSObject, NSCopying, @unchecked Sendable {
  open var clientId: String
  /// The redirect URI; nil for `msauth.<bundle id>://auth`.
  open var redirectUri: String?
  /// This property has no effect.
  open var nestedAuthBrokerClientId: String?
  /// This property has no effect.
  open var nestedAuthBrokerRedirectUri: String?
  open var authority: MSALAuthority
  /// This property has no effect, because authorities are not validated over the network.
  open var knownAuthorities: [MSALAuthority] = []
  /// This property has no effect.
  open var extendedLifetimeEnabled = false
  /// The capabilities that the client declares; nil for none. If conditional access requires an app
  /// protection policy, they must include `protapp`, in any casing.
  open var clientApplicationCapabilities: [String]?
  /// The remaining lifetime, in seconds, at which a cached token is renewed. It has no effect,
  /// because each call requests a new token.
  open var tokenExpirationBuffer = MSALPublicClientApplicationConfig.defaultExpirationBuffer
  public let cacheConfig: MSALCacheConfig
  /// This property has no effect.
  open var sliceConfig: MSALSliceConfig?
  /// This property has no effect.
  open var multipleCloudsSupported = false
  /// Whether any redirect URI is accepted.
  open var bypassRedirectURIValidation = false

  private static let defaultExpirationBuffer = 300.0
  private static let defaultAuthority = "https://login.microsoftonline.com/common"

  public convenience init(clientId: String) {
    self.init(clientId: clientId, redirectUri: nil, authority: nil)
  }

  /// Creates a configuration.
  ///
  /// - Parameter authority: The authority; nil for any account in Microsoft's public cloud.
  public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
    self.init(
      clientId: clientId, redirectUri: redirectUri, authority: authority,
      nestedAuthBrokerClientId: nil, nestedAuthBrokerRedirectUri: nil)
  }

  /// Creates a configuration.
  ///
  /// - Parameter authority: The authority; nil for any account in Microsoft's public cloud.
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

  /// The names of settings that the app has set and that have no effect.
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
