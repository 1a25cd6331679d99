public import Foundation

/// Lets `MSALAuthority(url:)` create an object of the subclass that matches the URL, because a
/// class initializer cannot. Apps must not adopt this protocol.
public protocol AuthorityMaking {}

extension AuthorityMaking {
  /// Creates the authority that matches the form of the URL.
  ///
  /// - Throws: An `NSError` with `MSALInternalError.internalErrorInvalidParameter` if the URL is not an authority that
  ///   MSAL supports, or an authority of another class.
  public init(url: URL) throws {
    guard let authority = try MSALAuthority.authority(of: url) as? Self else {
      throw Failure.invalidParameter("`\(url.absoluteString)` is not an authority of this type")
        .nsError
    }
    self = authority
  }
}
