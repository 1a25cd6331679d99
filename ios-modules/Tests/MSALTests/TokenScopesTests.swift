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
  func aScopeIsOfTheResourceBeforeItsLastSlash(scope: String, resource: String) throws {
    #expect(try TokenScopes([scope]).resource == resource)
  }

  @Test func withoutAScopeTheResourceIsGraph() throws {
    #expect(try TokenScopes([]).resource == "https://graph.microsoft.com")
  }

  @Test func aScopeOfOpenIDConnectIsOfNoResource() throws {
    #expect(try TokenScopes(["email", "api://x/y"]).resource == "api://x")
  }

  @Test func scopesOfOneResourceInAnyCasingGoTogether() throws {
    let scopes = try TokenScopes(["https://Graph.microsoft.com/User.Read", "Mail.Read"])
    #expect(scopes.resource == "https://Graph.microsoft.com")
    #expect(scopes.scopes.count == 2)
  }

  @Test func scopesOfTwoResourcesAreRefused() {
    let failure = #expect(throws: Failure.self) { try TokenScopes(["User.Read", "api://x/y"]) }
    #expect(failure?.internalCode == .internalErrorInvalidScope)
  }

  @Test(arguments: ["openid", "profile", "offline_access", "OpenID"])
  func whatMSALAsksForByItselfIsRefused(scope: String) {
    let failure = #expect(throws: Failure.self) { try TokenScopes(["User.Read", scope]) }
    #expect(failure?.internalCode == .internalErrorInvalidParameter)
  }
}
