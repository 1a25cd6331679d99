public enum MSALPreferredAuthMethod: UInt, Sendable {
  case none
  case QRPIN
}
