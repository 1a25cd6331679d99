public import JSON

/// An app protection policy, and whom the scenario assigns it to.
public struct PolicySpecification: Sendable, Equatable {
  public var position: Position
  /// What the scenario calls the policy.
  public var name: String
  public var document: Document
  public var assignments: [Assignment]

  /// Where the policy's properties stand.
  public enum Document: Sendable, Equatable {
    /// A JSON file of Graph, its path as written: relative to the scenario file.
    case file(String)
    /// Properties in the scenario itself, as JSON text in which every member stands on the line where the
    /// scenario has it: its line numbers are the scenario's.
    case inline(String)
  }

  /// An account that the policy is targeted at.
  public struct Assignment: Sendable, Equatable {
    public var position: Position
    /// Name of an account.
    public var account: String
    /// Bundle ids; nil: the policy's own targeting decides.
    public var apps: [String]?

    public init(position: Position, account: String, apps: [String]? = nil) {
      self.position = position
      self.account = account
      self.apps = apps
    }
  }

  public init(
    position: Position, name: String, document: Document, assignments: [Assignment] = []
  ) {
    self.position = position
    self.name = name
    self.document = document
    self.assignments = assignments
  }
}
