import Foundation
import Testing

@testable import MSAL

@Suite struct AuthorityTests {
  private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test(arguments: [
    ("https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common"),
    ("https://Login.microsoft.com/contoso.com/", "https://login.microsoft.com/contoso.com"),
    ("https://host:8443/tenant/oauth2/v2.0", "https://host:8443/tenant"),
  ])
  func `an AAD authority has a host and a tenant`(given: String, normal: String) throws {
    #expect(try MSALAADAuthority(url: Self.url(given)).url.absoluteString == normal)
  }

  @Test(arguments: [
    "http://login.microsoftonline.com/common", "https://login.microsoftonline.com",
    "https://login.microsoftonline.com/", "https://host/tfp/tenant/policy", "https://host/adfs",
    "common",
  ])
  func `an invalid AAD authority is rejected`(given: String) throws {
    let url = try Self.url(given)
    let error = #expect(throws: NSError.self) { try MSALAADAuthority(url: url) }
    #expect(error?.code == MSALError.internal.rawValue)
    #expect(error?.userInfo[MSALInternalErrorCodeKey] as? Int == -42000)
  }

  @Test func `the rawTenant of an AAD authority replaces the URL's tenant`() throws {
    let authority = try MSALAADAuthority(url: Self.url("https://host/common"), rawTenant: "t")
    #expect(authority.url.absoluteString == "https://host/t")
  }

  @Test(arguments: [
    (MSALAzureCloudInstance.publicCloudInstance, "https://login.microsoftonline.com/common"),
    (.chinaCloudInstance, "https://login.chinacloudapi.cn/common"),
    (.usGovernmentCloudInstance, "https://login.microsoftonline.us/common"),
    (.franceCloudInstance, "https://login.sovcloud-identity.fr/common"),
  ])
  func `an AAD authority of each Azure cloud has that cloud's host`(
    cloud: MSALAzureCloudInstance, url: String
  ) throws {
    let authority = try MSALAADAuthority(
      cloudInstance: cloud, audienceType: .azureADAndPersonalMicrosoftAccountAudience,
      rawTenant: nil)
    #expect(authority.url.absoluteString == url)
  }

  @Test func `an AAD authority has a tenant if and only if its audience is a single organisation`()
    throws
  {
    let authority = try MSALAADAuthority(
      environment: "host", audienceType: .azureADMyOrgOnlyAudience, rawTenant: "contoso.com")
    #expect(authority.url.absoluteString == "https://host/contoso.com")
    #expect(throws: NSError.self) {
      try MSALAADAuthority(
        environment: "host", audienceType: .azureADMyOrgOnlyAudience, rawTenant: nil)
    }
    #expect(throws: NSError.self) {
      try MSALAADAuthority(
        environment: "host", audienceType: .azureADMultipleOrgsAudience, rawTenant: "contoso.com")
    }
  }

  @Test func `the kind of authority follows from its URL`() throws {
    #expect(try MSALAuthority(url: Self.url("https://host/common")) is MSALAADAuthority)
    #expect(try MSALAuthority(url: Self.url("https://host/tfp/t/p")) is MSALB2CAuthority)
    #expect(try MSALAuthority(url: Self.url("https://t.ciamlogin.com/")) is MSALCIAMAuthority)
    let adfs = try Self.url("https://host/adfs")
    #expect(throws: NSError.self) { try MSALAuthority(url: adfs) }
  }

  @Test func `a B2C authority accepts any path`() throws {
    let custom = try MSALB2CAuthority(url: Self.url("https://c.b2clogin.com/c.com/B2C_1_x"))
    #expect(custom.url.absoluteString == "https://c.b2clogin.com/c.com/B2C_1_x")
    let long = try MSALB2CAuthority(url: Self.url("https://c.b2clogin.com/tfp/c.com/p/v2.0"))
    #expect(long.url.absoluteString == "https://c.b2clogin.com/tfp/c.com/p")
  }

  @Test func `a CIAM authority's tenant follows from the host's first label`() throws {
    let authority = try MSALCIAMAuthority(url: Self.url("https://contoso.ciamlogin.com"))
    #expect(
      authority.url.absoluteString == "https://contoso.ciamlogin.com/contoso.onmicrosoft.com")
  }

  @Test func `authorities are equal if their kinds and URLs are equal`() throws {
    let url = try Self.url("https://host/common")
    #expect(try MSALAADAuthority(url: url) == MSALAADAuthority(url: url))
    #expect(try MSALAADAuthority(url: url) != MSALB2CAuthority(url: url))
  }
}
