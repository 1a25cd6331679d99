import Foundation
import Testing

@testable import MSAL

@Suite struct RedirectUriTests {
  private func validate(
    _ uri: String?, authority: String = "common", bypass: Bool = false
  ) throws {
    let configuration = MSALPublicClientApplicationConfig(
      clientId: "client", redirectUri: uri,
      authority: try MSALAADAuthority(
        url: #require(URL(string: "https://login.microsoftonline.com/\(authority)"))))
    configuration.bypassRedirectURIValidation = bypass
    try MSALRedirectUri.validate(configuration, bundleIdentifier: "com.contoso.Mail")
  }

  @Test(
    arguments: [
      nil, "", "msauth.com.contoso.Mail://auth", "msauth.com.contoso.mail://auth",
    ] as [String?])
  func `the redirect URI for a broker is accepted`(uri: String?) throws { try validate(uri) }

  @Test(arguments: ["msalclient://auth", "msauth.com.contoso.other://auth", "auth", "https://x/y"])
  func `a redirect URI with another app's id or an invalid form is rejected`(uri: String) {
    let failure = #expect(throws: Failure.self) { try validate(uri) }
    #expect(failure?.internalCode == .internalErrorInvalidRedirectURI)
  }

  @Test func `redirect URIs are not checked for personal accounts or if validation is disabled`()
    throws
  {
    try validate("msalclient://auth", authority: "consumers")
    try validate("msalclient://auth", bypass: true)
  }
}
