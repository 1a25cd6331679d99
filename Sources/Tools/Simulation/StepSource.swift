internal import JSON

/// The origin of a step.
enum StepSource {
  /// The scenario's file.
  case scenario
  /// A client that drives a running device.
  case client

  /// The place in the scenario's file; nil where the step stands in none.
  func place(_ position: Position?) -> Position? {
    switch self {
    case .scenario: position
    case .client: nil
    }
  }
}
