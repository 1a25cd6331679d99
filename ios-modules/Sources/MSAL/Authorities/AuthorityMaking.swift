public import Foundation

/// A protocol that adds the initializer `MSALAuthority(url:)`, which returns the subclass that matches the URL. An
/// initializer of the class could not do so. Apps must not adopt this protocol.
public protocol AuthorityMaking {}

extension AuthorityMaking {
  /// Creates the authority that matches the form of the URL.
  ///
  /// - Throws: An `NSError` with `MSALInternalError.internalErrorInvalidParameter` if the URL is not an authority that
  ///   MSAL supports, or if it is an authority of a class other than `Self`.
  public init(url: URL) throws {
    guard let authority = try MSALAuthority.authority(of: url) as? Self else {
      throw Failure.invalidParameter("`\(url.absoluteString)` is not an authority of this type")
        .nsError
    }
    self = authority
  }
}
