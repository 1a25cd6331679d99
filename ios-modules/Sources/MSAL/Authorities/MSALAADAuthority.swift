public import Foundation

/// An authority for one or all tenants of Microsoft Entra ID: `https://login.microsoftonline.com/<tenant>`.
open class MSALAADAuthority: MSALAuthority, @unchecked Sendable {
  override init(normalized url: URL) { super.init(normalized: url) }

  /// Creates an authority.
  ///
  /// - Parameters:
  ///   - url: An `https` URL whose path is the tenant.
  ///   - rawTenant: A tenant that replaces the tenant in the URL.
  /// - Throws: An `NSError` with `MSALInternalError.internalErrorInvalidParameter`.
  public init(url: URL, rawTenant: String?) throws {
    let normalized: URL
    do throws(Failure) {
      normalized = try AuthorityURL.aad(url, rawTenant: rawTenant)
    } catch { throw error.nsError }
    super.init(normalized: normalized)
  }

  public convenience init(url: URL) throws { try self.init(url: url, rawTenant: nil) }

  /// Creates an authority in a cloud.
  ///
  /// - Parameter rawTenant: Required with `azureADMyOrgOnlyAudience`, and invalid with any other
  ///   audience.
  public convenience init(
    cloudInstance: MSALAzureCloudInstance, audienceType: MSALAudienceType, rawTenant: String?
  ) throws {
    try self.init(
      environment: cloudInstance.host, audienceType: audienceType, rawTenant: rawTenant)
  }

  /// Creates an authority on a host.
  ///
  /// - Parameters:
  ///   - environment: The host name.
  ///   - rawTenant: Required with `azureADMyOrgOnlyAudience`, and invalid with any other audience.
  public convenience init(
    environment: String, audienceType: MSALAudienceType, rawTenant: String?
  ) throws {
    let url: URL
    do throws(Failure) {
      let tenant = try audienceType.tenant(nonEmpty(rawTenant))
      guard let host = nonEmpty(environment) else {
        throw Failure.invalidParameter("an authority needs a host")
      }
      url = try AuthorityURL.make(host, [tenant])
    } catch { throw error.nsError }
    try self.init(url: url, rawTenant: nil)
  }

  override func ofTenant(_ tenant: String) -> MSALAuthority {
    (try? MSALAADAuthority(url: url, rawTenant: tenant)) ?? self
  }
}
