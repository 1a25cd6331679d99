internal import Foundation

/// Validates and normalises the URLs of authorities.
///
/// Source: MSAL for iOS, headers of the authorities; Microsoft Learn, "Authority".
enum AuthorityURL {
  enum Kind: Equatable { case aad, b2c, ciam, adfs }

  /// Returns the kind of authority that the form of the URL indicates; nil if the URL is not an
  /// authority.
  static func kind(of url: URL) -> Kind? {
    guard let host = httpsHost(of: url) else { return nil }
    let path = components(of: url)
    switch path.first?.lowercased() {
    case "tfp": return path.count >= 3 ? .b2c : nil
    case "adfs": return .adfs
    case nil: return isCIAM(host) ? .ciam : nil
    default:  // open: any other tenant
      return isCIAM(host) ? .ciam : .aad
    }
  }

  /// Normalises the URL of a Microsoft Entra authority.
  ///
  /// - Parameter rawTenant: A tenant that replaces the tenant in the URL.
  static func aad(_ url: URL, rawTenant: String?) throws(Failure) -> URL {
    let host = try host(of: url)
    guard let tenant = components(of: url).first, !["tfp", "adfs"].contains(tenant.lowercased())
    else { throw .invalidParameter("`\(url.absoluteString)` has no tenant in its path") }
    return try make(host, port: url.port, [nonEmpty(rawTenant) ?? tenant])
  }

  /// Normalises the URL of a B2C authority. If it has the form `/tfp/<tenant>/<policy>`, further
  /// components of the path are dropped. Any other path is kept.
  static func b2c(_ url: URL) throws(Failure) -> URL {
    let host = try host(of: url)
    let path = components(of: url)
    guard path.first?.lowercased() == "tfp", path.count >= 3 else { return url }
    return try make(host, port: url.port, Array(path.prefix(3)))
  }

  /// Normalises the URL of an external tenant's authority. If the path is empty, the tenant is
  /// taken from the first label of the host name.
  static func ciam(_ url: URL) throws(Failure) -> URL {
    let host = try host(of: url)
    guard components(of: url).isEmpty, isCIAM(host), let label = host.split(separator: ".").first
    else { return url }
    return try make(host, port: url.port, ["\(label).onmicrosoft.com"])
  }

  static func make(_ host: String, port: Int? = nil, _ path: [String]) throws(Failure) -> URL {
    var parts = URLComponents()
    parts.scheme = "https"
    parts.host = host
    parts.port = port
    parts.path = "/" + path.joined(separator: "/")
    guard let url = parts.url else { throw .invalidParameter("`\(host)` is not a host") }
    return url
  }

  static func components(of url: URL) -> [String] { url.pathComponents.filter { $0 != "/" } }

  private static func host(of url: URL) throws(Failure) -> String {
    guard let host = httpsHost(of: url) else {
      throw .invalidParameter("`\(url.absoluteString)` is not an `https` URL with a host")
    }
    return host
  }

  private static func httpsHost(of url: URL) -> String? {
    guard url.scheme?.lowercased() == "https", let host = nonEmpty(url.host) else { return nil }
    return host.lowercased()
  }

  private static func isCIAM(_ host: String) -> Bool { host.hasSuffix(".ciamlogin.com") }
}

/// Returns the text; nil if it is empty or white space.
func nonEmpty(_ text: String?) -> String? {
  guard let text, !text.allSatisfy(\.isWhitespace) else { return nil }
  return text
}
