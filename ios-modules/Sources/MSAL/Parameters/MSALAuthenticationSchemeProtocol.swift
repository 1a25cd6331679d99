public import Foundation

/// An authentication scheme for access tokens.
public protocol MSALAuthenticationSchemeProtocol: NSObjectProtocol {
  var scheme: MSALAuthScheme { get }
  /// The name of the scheme in the `Authorization` header.
  var authenticationScheme: String { get }
}
