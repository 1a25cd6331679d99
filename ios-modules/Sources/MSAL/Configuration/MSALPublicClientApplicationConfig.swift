public import Foundation

/// What an app says of itself to the token service. An application keeps what it was made with: later changes do not
/// reach it.
open class MSALPublicClientApplicationConfig: NSObject, NSCopying, @unchecked Sendable {
  open var clientId: String
  /// nil: `msauth.<bundle id>://auth`.
  open var redirectUri: String?
  /// Without effect.
  open var nestedAuthBrokerClientId: String?
  /// Without effect.
  open var nestedAuthBrokerRedirectUri: String?
  open var authority: MSALAuthority
  /// Without effect: no authority is asked whether it is one.
  open var knownAuthorities: [MSALAuthority] = []
  /// Without effect.
  open var extendedLifetimeEnabled = false
  /// `protapp`, in any casing, is needed where conditional access asks for an app protection policy.
  open var clientApplicationCapabilities: [String]?
  /// In seconds. Without effect: each call asks the token service.
  open var tokenExpirationBuffer = MSALPublicClientApplicationConfig.defaultExpirationBuffer
  public let cacheConfig: MSALCacheConfig
  /// Without effect.
  open var sliceConfig: MSALSliceConfig?
  /// Without effect.
  open var multipleCloudsSupported = false
  /// Whether any redirect URI is taken.
  open var bypassRedirectURIValidation = false

  private static let defaultExpirationBuffer = 300.0
  private static let defaultAuthority = "https://login.microsoftonline.com/common"

  public convenience init(clientId: String) {
    self.init(clientId: clientId, redirectUri: nil, authority: nil)
  }

  /// - Parameter authority: nil: any account of Microsoft's public cloud.
  public convenience init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
    self.init(
      clientId: clientId, redirectUri: redirectUri, authority: authority,
      nestedAuthBrokerClientId: nil, nestedAuthBrokerRedirectUri: nil)
  }

  /// - Parameter authority: nil: any account of Microsoft's public cloud.
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

  /// The names of what is set, and does nothing here.
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
