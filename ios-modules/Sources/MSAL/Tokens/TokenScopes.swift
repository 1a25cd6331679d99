/// The scopes of a request, and the resource that they are of.
///
/// Source: Microsoft Learn, "Scopes and permissions in the Microsoft identity platform": the resource is what stands
/// before the last slash, and Microsoft Graph where nothing does.
struct TokenScopes: Sendable, Equatable {
  static let graph = "https://graph.microsoft.com"
  /// MSAL asks for these by itself, and refuses an app that does.
  static let reserved: Set<String> = ["openid", "profile", "offline_access"]
  /// The scopes of OpenID Connect are of no resource.
  private static let ofNoResource = reserved.union(["email", "address", "phone"])

  let scopes: [String]
  /// An application id or a URI.
  let resource: String

  /// - Throws: where scopes are reserved, or of several resources.
  init(_ scopes: [String]) throws(Failure) {
    if let scope = scopes.first(where: { Self.reserved.contains($0.lowercased()) }) {
      throw .invalidParameter("MSAL asks for the scope `\(scope)` by itself; leave it out")
    }
    let resources = scopes.compactMap(Self.resource)
    let first = resources.first ?? Self.graph
    if let other = resources.first(where: { $0.lowercased() != first.lowercased() }) {
      throw .internal(
        .internalErrorInvalidScope,
        "a token is for one resource, and the scopes are of `\(first)` and `\(other)`")
    }
    self.scopes = scopes
    resource = first
  }

  /// nil: the scope is of none.
  static func resource(of scope: String) -> String? {
    guard !ofNoResource.contains(scope.lowercased()) else { return nil }
    let path = scope.range(of: "://").map { scope[$0.upperBound...] } ?? scope[...]
    guard let slash = path.lastIndex(of: "/") else {
      return path.startIndex == scope.startIndex ? graph : scope
    }
    return String(scope[..<slash])
  }
}
