/// Whether a walk meets faults.
public enum WalkFaults: Sendable {
  case none
  /// Some shares are struck by a fault.
  case drawn
}
