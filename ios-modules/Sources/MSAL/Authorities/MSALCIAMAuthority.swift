public import Foundation

/// An authority for an external tenant of Microsoft Entra: `https://<tenant>.ciamlogin.com`.
open class MSALCIAMAuthority: MSALAuthority, @unchecked Sendable {
  /// Creates an authority.
  ///
  /// - Throws: An `NSError` with `MSALInternalError.internalErrorInvalidParameter` if `url` is not
  ///   an `https` URL with a host.
  public init(url: URL) throws {
    let normalized: URL
    do throws(Failure) { normalized = try AuthorityURL.ciam(url) } catch { throw error.nsError }
    super.init(normalized: normalized)
  }
}
