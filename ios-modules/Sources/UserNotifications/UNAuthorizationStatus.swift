public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined
  case denied
  case authorized
  case provisional
  case ephemeral
}
