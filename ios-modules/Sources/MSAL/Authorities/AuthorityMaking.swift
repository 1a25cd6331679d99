public import Foundation

/// What makes `MSALAuthority(url:)` give an object of the subclass that the URL is for, which an initializer of the
/// class itself cannot. Nothing for apps to adopt.
public protocol AuthorityMaking {}

extension AuthorityMaking {
  /// Makes the authority whose form the URL has.
  ///
  /// - Throws: an `NSError` with `MSALInternalError.internalErrorInvalidParameter` where it has none.
  public init(url: URL) throws {
    guard let authority = try MSALAuthority.authority(of: url) as? Self else {
      throw Failure.invalidParameter("`\(url.absoluteString)` is no authority of this type").nsError
    }
    self = authority
  }
}
