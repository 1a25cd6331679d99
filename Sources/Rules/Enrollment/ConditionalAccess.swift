public import Model

/// The conditional access policies of all organisations, with the accounts that they are assigned to.
public struct ConditionalAccess: Sendable {
  /// The assignment of policies to accounts.
  public struct Assignment: Sendable {
    /// The name by which steps refer to the assignment.
    public var name: String
    public var policies: [ConditionalAccessPolicy]
    /// The accounts that the policies are for; nil: the accounts that the policies' own conditions name.
    public var accounts: [Account]?

    /// Creates an assignment.
    public init(name: String, policies: [ConditionalAccessPolicy], accounts: [Account]? = nil) {
      self.name = name
      self.policies = policies
      self.accounts = accounts
    }
  }

  public var assignments: [Assignment]

  /// Creates a set of assignments.
  public init(_ assignments: [Assignment] = []) { self.assignments = assignments }

  /// Assigns the policies of that name to these accounts, in place of all earlier ones.
  public mutating func assign(_ name: String, to accounts: [Account]) {
    for index in assignments.indices where assignments[index].name == name {
      assignments[index].accounts = accounts
    }
  }

  /// Every policy, with its judgement on the sign-in.
  public func judgements(
    on signIn: SignIn
  ) -> [(policy: ConditionalAccessPolicy, judgement: ConditionalAccessPolicy.Judgement)] {
    assignments.flatMap { assignment in
      let isAssigned = assignment.accounts.map { $0.contains { $0.isSame(as: signIn.account) } }
      return assignment.policies.map { ($0, $0.judgement(on: signIn, isAssigned: isAssigned)) }
    }
  }
}
