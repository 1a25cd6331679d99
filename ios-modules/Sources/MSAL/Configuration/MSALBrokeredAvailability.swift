public enum MSALBrokeredAvailability: Int, Sendable {
  case auto
  case none
}
