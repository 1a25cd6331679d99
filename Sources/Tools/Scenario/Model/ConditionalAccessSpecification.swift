public import JSON

/// A conditional access policy, and the accounts that the scenario targets it at.
public struct ConditionalAccessSpecification: Sendable, Equatable {
  public var position: Position
  /// The scenario's name for the policy.
  public var name: String
  public var document: PolicySpecification.Document
  /// The names of accounts; nil: those that the policy's own conditions name.
  public var accounts: [String]?
}
