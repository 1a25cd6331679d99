public import JSON

/// An app configuration, and the accounts that the scenario assigns it to.
public struct ConfigurationSpecification: Sendable, Equatable {
  public var position: Position
  /// The scenario's name for the configuration.
  public var name: String
  public var document: PolicySpecification.Document
  /// Whether the configuration is the tenant's default, even where its file does not state so.
  public var isDefault: Bool
  public var assignments: [PolicySpecification.Assignment]

  /// Creates the specification of an app configuration.
  public init(
    position: Position, name: String, document: PolicySpecification.Document,
    isDefault: Bool = false, assignments: [PolicySpecification.Assignment] = []
  ) {
    self.position = position
    self.name = name
    self.document = document
    self.isDefault = isDefault
    self.assignments = assignments
  }
}
