/// How the user proves to be themselves.
public enum MSALPreferredAuthMethod: UInt, Sendable {
  case none
  case QRPIN
}
