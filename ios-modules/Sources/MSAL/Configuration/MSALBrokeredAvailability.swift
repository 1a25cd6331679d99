/// The use of a broker.
public enum MSALBrokeredAvailability: Int, Sendable {
  case auto
  case none
}
