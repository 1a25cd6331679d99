public import JSON

/// An app configuration, and whom the scenario assigns it to.
public struct ConfigurationSpecification: Sendable, Equatable {
  public var position: Position
  /// What the scenario calls the configuration.
  public var name: String
  public var document: PolicySpecification.Document
  /// Whether it is the tenant's default, even where its file does not say so.
  public var isDefault: Bool
  public var assignments: [PolicySpecification.Assignment]

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
