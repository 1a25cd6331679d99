public import Foundation

/// A token authority. Its class indicates the type of the app, such as B2C. The simulated device sends no requests to
/// it.
open class MSALAuthority: NSObject, NSCopying, AuthorityMaking, @unchecked Sendable {
  /// The URL. If it is normalised, it consists of the scheme, the host, the port, the tenant and, for B2C, the policy.
  public let url: URL

  init(normalized url: URL) { self.url = url }

  /// Returns the authority that matches the form of `url`.
  static func authority(of url: URL) throws -> MSALAuthority {
    switch AuthorityURL.kind(of: url) {
    case .aad: return try MSALAADAuthority(url: url)
    case .b2c: return try MSALB2CAuthority(url: url)
    case .ciam: return try MSALCIAMAuthority(url: url)
    case .adfs: throw Failure.invalidParameter("MSAL does not support AD FS").nsError
    case nil:
      throw Failure.invalidParameter("`\(url.absoluteString)` is not an authority").nsError
    }
  }

  /// The host name in lower case.
  var environment: String { url.host ?? "" }

  /// Returns the authority for a tenant. For Microsoft Entra ID, this is an authority with that tenant; otherwise, it
  /// is this authority.
  func ofTenant(_ tenant: String) -> MSALAuthority { self }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MSALAuthority else { return false }
    return type(of: self) == type(of: other) && url == other.url
  }

  open override var hash: Int { url.hashValue }
}
