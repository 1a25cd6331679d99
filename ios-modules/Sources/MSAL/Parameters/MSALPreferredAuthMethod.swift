/// The preferred authentication method of the user.
public enum MSALPreferredAuthMethod: UInt, Sendable {
  case none
  case QRPIN
}
