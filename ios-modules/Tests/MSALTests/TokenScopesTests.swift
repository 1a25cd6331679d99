import Testing

@testable import MSAL

@Suite struct TokenScopesTests {
  @Test(arguments: [
    ("https://graph.microsoft.com/User.Read", "https://graph.microsoft.com"),
    ("https://graph.microsoft.com/.default", "https://graph.microsoft.com"),
    ("https://management.azure.com//user_impersonation", "https://management.azure.com/"),
    ("https://contoso.com/api/Files.Read", "https://contoso.com/api"),
    ("https://contoso.com", "https://contoso.com"),
    ("User.Read", "https://graph.microsoft.com"),
    ("api://x/y", "api://x"),
    ("api://x/y/z", "api://x/y"),
    (
      "00000003-0000-0000-c000-000000000000/User.Read",
      "00000003-0000-0000-c000-000000000000"
    ),
  ])
  func `the resource of a token scope is the text before its last slash`(
    scope: String, resource: String
  ) throws {
    #expect(try TokenScopes([scope]).resource == resource)
  }

  @Test func `without a scope, the resource is Graph`() throws {
    #expect(try TokenScopes([]).resource == "https://graph.microsoft.com")
  }

  @Test func `an OpenID Connect scope has no resource`() throws {
    #expect(try TokenScopes(["email", "api://x/y"]).resource == "api://x")
  }

  @Test func `token scopes whose resources differ only in case belong to one resource`() throws {
    let scopes = try TokenScopes(["https://Graph.microsoft.com/User.Read", "Mail.Read"])
    #expect(scopes.resource == "https://Graph.microsoft.com")
    #expect(scopes.scopes.count == 2)
  }

  @Test func `a token request with scopes of two resources is rejected`() {
    let failure = #expect(throws: Failure.self) { try TokenScopes(["User.Read", "api://x/y"]) }
    #expect(failure?.internalCode == .internalErrorInvalidScope)
  }

  @Test(arguments: ["openid", "profile", "offline_access", "OpenID"])
  func `a scope that MSAL adds by itself, such as openid, is rejected`(scope: String) {
    let failure = #expect(throws: Failure.self) { try TokenScopes(["User.Read", scope]) }
    #expect(failure?.internalCode == .internalErrorInvalidParameter)
  }
}
