/// The kinds of ``MSALAuthenticationSchemeProtocol``.
public enum MSALAuthScheme: UInt, Sendable {
  case bearer
  case pop
}
