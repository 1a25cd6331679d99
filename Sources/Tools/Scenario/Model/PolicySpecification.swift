public import JSON

/// An app protection policy, and the accounts that the scenario assigns it to.
public struct PolicySpecification: Sendable, Equatable {
  public var position: Position
  /// The scenario's name for the policy.
  public var name: String
  public var document: Document
  public var assignments: [Assignment]

  /// The source of the policy's properties.
  public enum Document: Sendable, Equatable {
    /// The path of a JSON file of Graph, as written: relative to the scenario file.
    case file(String)
    /// Properties in the scenario itself, as JSON text in which every member stands on its line of the scenario, so
    /// that line numbers are the scenario's.
    case inline(String)
  }

  /// An account that the policy is targeted at.
  public struct Assignment: Sendable, Equatable {
    public var position: Position
    /// The name of an account.
    public var account: String
    /// The bundle ids of the apps; nil: the policy's own targeting decides.
    public var apps: [String]?

    /// Creates an assignment to an account.
    public init(position: Position, account: String, apps: [String]? = nil) {
      self.position = position
      self.account = account
      self.apps = apps
    }
  }

  /// Creates the specification of a policy.
  public init(
    position: Position, name: String, document: Document, assignments: [Assignment] = []
  ) {
    self.position = position
    self.name = name
    self.document = document
    self.assignments = assignments
  }
}
