public import Foundation

/// The authentication scheme for bearer tokens (RFC 6750).
open class MSALAuthenticationSchemeBearer: NSObject, MSALAuthenticationSchemeProtocol,
  @unchecked Sendable
{
  public override init() {}
  public var scheme: MSALAuthScheme { .bearer }
  public var authenticationScheme: String { "Bearer" }
}
