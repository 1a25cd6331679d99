public import JSON

/// A conditional access policy, and whom the scenario targets it at.
public struct ConditionalAccessSpecification: Sendable, Equatable {
  public var position: Position
  /// What the scenario calls the policy.
  public var name: String
  public var document: PolicySpecification.Document
  /// Names of accounts; nil: those whom the policy's own conditions name.
  public var accounts: [String]?
}
