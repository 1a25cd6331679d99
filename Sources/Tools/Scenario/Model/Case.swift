public import JSON

/// Steps that run one after the other on a fresh device.
public struct Case: Sendable, Equatable {
  public var position: Position
  /// The name, unique within the scenario.
  public var name: String
  /// The exit criterion that the case verifies, such as `SEND-1`; nil where it verifies none.
  public var criterion: String?
  /// The names of the apps in whose place somebody's own app is put to the test, one after the other; empty: the app
  /// that is started first.
  public var underTest: [String]
  /// The steps, at least one.
  public var steps: [Step]

  /// Creates a case.
  public init(
    position: Position, name: String, criterion: String? = nil, underTest: [String] = [],
    steps: [Step]
  ) {
    self.position = position
    self.name = name
    self.criterion = criterion
    self.underTest = underTest
    self.steps = steps
  }
}
