public import Model

/// The conditional access policies of all organisations, and whom they are for.
public struct ConditionalAccess: Sendable {
  public struct Assignment: Sendable {
    /// What steps call it.
    public var name: String
    public var policies: [ConditionalAccessPolicy]
    /// Whom it is for; nil: those whom its own conditions name.
    public var accounts: [Account]?

    public init(name: String, policies: [ConditionalAccessPolicy], accounts: [Account]? = nil) {
      self.name = name
      self.policies = policies
      self.accounts = accounts
    }
  }

  public var assignments: [Assignment]

  public init(_ assignments: [Assignment] = []) { self.assignments = assignments }

  /// Targets a policy at these accounts, in place of all that it was for.
  public mutating func assign(_ name: String, to accounts: [Account]) {
    for index in assignments.indices where assignments[index].name == name {
      assignments[index].accounts = accounts
    }
  }

  /// Every policy, and whether it is for the sign-in.
  public func judgements(
    on signIn: SignIn
  ) -> [(policy: ConditionalAccessPolicy, judgement: ConditionalAccessPolicy.Judgement)] {
    assignments.flatMap { assignment in
      let isAssigned = assignment.accounts.map { $0.contains { $0.isSame(as: signIn.account) } }
      return assignment.policies.map { ($0, $0.judgement(on: signIn, isAssigned: isAssigned)) }
    }
  }
}
