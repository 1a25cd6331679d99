public import Foundation

/// Where tokens come from. On this device it says of which kind the app is; nobody is asked there.
open class MSALAuthority: NSObject, NSCopying, AuthorityMaking, @unchecked Sendable {
  /// The URL in its normal form: scheme, host, and what names tenant and policy.
  public let url: URL

  init(normalized url: URL) { self.url = url }

  /// The authority that the form of `url` is for.
  static func authority(of url: URL) throws -> MSALAuthority {
    switch AuthorityURL.kind(of: url) {
    case .aad: return try MSALAADAuthority(url: url)
    case .b2c: return try MSALB2CAuthority(url: url)
    case .ciam: return try MSALCIAMAuthority(url: url)
    case .adfs: throw Failure.invalidParameter("MSAL does not support AD FS").nsError
    case nil:
      throw Failure.invalidParameter("`\(url.absoluteString)` is no authority").nsError
    }
  }

  /// The host, in lower case.
  var environment: String { url.host ?? "" }

  /// The authority of a tenant, where this one can be of several.
  func ofTenant(_ tenant: String) -> MSALAuthority { self }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MSALAuthority else { return false }
    return type(of: self) == type(of: other) && url == other.url
  }

  open override var hash: Int { url.hashValue }
}
