/// The kind of an ``MSALAuthenticationSchemeProtocol``.
public enum MSALAuthScheme: UInt, Sendable {
  case bearer
  case pop
}
