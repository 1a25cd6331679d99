public import Foundation

/// How a token is shown to who takes it.
public protocol MSALAuthenticationSchemeProtocol: NSObjectProtocol {
  var scheme: MSALAuthScheme { get }
  /// The scheme's name in the header `Authorization`.
  var authenticationScheme: String { get }
}
