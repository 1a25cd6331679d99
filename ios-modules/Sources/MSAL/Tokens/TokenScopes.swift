/// The scopes of a request, and the resource to which they belong.
///
/// The resource of a scope is the part before the last slash of its path. A plain name is a scope of Microsoft Graph.
///
/// Source: Microsoft Learn, "Scopes and permissions in the Microsoft identity platform".
struct TokenScopes: Sendable, Equatable {
  static let graph = "https://graph.microsoft.com"
  /// Scopes that MSAL adds by itself. MSAL rejects requests that contain them.
  static let reserved: Set<String> = ["openid", "profile", "offline_access"]
  /// OpenID Connect scopes, which belong to no resource.
  private static let ofNoResource = reserved.union(["email", "address", "phone"])

  let scopes: [String]
  /// The application id or URI of the resource.
  let resource: String

  /// Validates the scopes, and determines their resource.
  ///
  /// - Throws: An error if scopes are reserved or belong to different resources.
  init(_ scopes: [String]) throws(Failure) {
    if let scope = scopes.first(where: { Self.reserved.contains($0.lowercased()) }) {
      throw .invalidParameter("MSAL asks for the scope `\(scope)` by itself; leave it out")
    }
    let resources = scopes.compactMap(Self.resource)
    let first = resources.first ?? Self.graph
    if let other = resources.first(where: { $0.lowercased() != first.lowercased() }) {
      throw .internal(
        .internalErrorInvalidScope,
        "the scopes must be for one resource, found scopes for `\(first)` and `\(other)`")
    }
    self.scopes = scopes
    resource = first
  }

  /// Returns the resource of a scope; nil for an OpenID Connect scope, which belongs to no resource.
  static func resource(of scope: String) -> String? {
    guard !ofNoResource.contains(scope.lowercased()) else { return nil }
    let path = scope.range(of: "://").map { scope[$0.upperBound...] } ?? scope[...]
    guard let slash = path.lastIndex(of: "/") else {
      return path.startIndex == scope.startIndex ? graph : scope
    }
    return String(scope[..<slash])
  }
}
