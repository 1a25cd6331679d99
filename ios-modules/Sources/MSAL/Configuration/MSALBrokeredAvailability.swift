/// Whether a broker may be asked.
public enum MSALBrokeredAvailability: Int, Sendable {
  case auto
  case none
}
