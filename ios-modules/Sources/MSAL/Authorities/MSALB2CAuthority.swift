public import Foundation

/// An authority for a tenant and policy of Azure AD B2C: `https://<host>/tfp/<tenant>/<policy>`, or any `https`
/// URL.
open class MSALB2CAuthority: MSALAuthority, @unchecked Sendable {
  /// Creates an authority.
  ///
  /// - Throws: An `NSError` with `MSALInternalError.internalErrorInvalidParameter`.
  public init(url: URL) throws {
    let normalized: URL
    do throws(Failure) { normalized = try AuthorityURL.b2c(url) } catch { throw error.nsError }
    super.init(normalized: normalized)
  }
}
