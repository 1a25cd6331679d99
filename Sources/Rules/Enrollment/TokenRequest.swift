public import Model

/// An app's request for an access token, with the facts about the app and its device.
public struct TokenRequest: Sendable {
  public var account: Account
  /// An application id or a URI, with or without a scope such as `/.default`.
  public var resource: String
  /// The client capabilities that the app declares, in its spelling.
  public var capabilities: [String]
  /// Whether a policy protects the account in the app.
  public var isProtected: Bool
  public var device: DirectoryDevice
  public var isAccountDisabled: Bool
  public var isOnline: Bool

  /// Creates a request.
  public init(
    account: Account, resource: String, capabilities: [String] = [], isProtected: Bool = false,
    device: DirectoryDevice = DirectoryDevice(), isAccountDisabled: Bool = false,
    isOnline: Bool = true
  ) {
    self.account = account
    self.resource = resource
    self.capabilities = capabilities
    self.isProtected = isProtected
    self.device = device
    self.isAccountDisabled = isAccountDisabled
    self.isOnline = isOnline
  }

  /// Whether the app declares in the claim `xms_cc`, in any casing, that it can be protected.
  ///
  /// Source: Intune App SDK for iOS, stage 6, MSAL.
  public var declaresProtection: Bool {
    capabilities.contains { $0.lowercased() == Self.protectionCapability }
  }

  public static let protectionCapability = "protapp"

  /// The `homeAccountId` of the error by which an app learns that it has to be protected: `<OID>.<tenant>`.
  public var homeAccount: String {
    let domain = account.upn.split(separator: "@").last.map(String.init) ?? ""
    return "\(account.objectID ?? account.upn).\(account.tenantID ?? domain)"
  }
}

/// The decision whether a token is issued, with the policies that led to it.
public struct TokenDecision: Sendable {
  /// The contribution of one policy.
  public struct Ground: Sendable {
    public var rule: Rule
    /// The policy; nil: the rule stands by itself.
    public var policy: ConditionalAccessPolicy?
    /// The names of the policy's conditions that the rule is about.
    public var conditions: [String] = []
  }

  /// The grounds, one for each reason of ``verdict``.
  public let grounds: [Ground]
  public let verdict: Verdict

  fileprivate init(_ grounds: [Ground]) {
    self.grounds = grounds
    verdict = Verdict(grounds.map { Reason($0.rule, .device) })
  }

  /// The status of MSAL that the app gets; 0 for a token.
  ///
  /// Source: MSAL for iOS, `MSALError.h`.
  public var status: Int {
    if case .protectionRequired = verdict.deciding.rule { return Self.protectionRequiredStatus }
    return verdict.outcome == .allowed ? 0 : Self.internalStatus
  }

  /// `MSALErrorServerProtectionPoliciesRequired`.
  public static let protectionRequiredStatus = -50004
  /// `MSALErrorInternal`.
  public static let internalStatus = -50000
}

extension ConditionalAccess {
  /// The decision whether the app gets a token.
  public func decide(_ request: TokenRequest) -> TokenDecision {
    guard request.isOnline else { return TokenDecision(.tokenServiceUnreachable) }
    guard !request.isAccountDisabled else { return TokenDecision(.tokenAccountDisabled) }
    let judgements = judgements(
      on: SignIn(request.account, resource: request.resource, device: request.device))
    let enforced = judgements.filter { $0.policy.state == .enabled && $0.judgement.counts }
      .map { TokenDecision.Ground(rule: $0.policy.rule(on: request), policy: $0.policy) }
    // A token whose resource a policy may cover is not unconditional.
    let open = judgements.filter { $0.policy.state == .enabled && $0.judgement == .unknownResource }
      .map {
        TokenDecision.Ground(
          rule: .conditionTakenAsNotMet, policy: $0.policy, conditions: ["includeApplications"])
      }
    var decisive = enforced + open
    if decisive.isEmpty { decisive = [TokenDecision.Ground(rule: .tokenUnconditional)] }
    return TokenDecision(decisive + judgements.compactMap(TokenDecision.Ground.init))
  }
}

extension TokenDecision {
  fileprivate init(_ rule: Rule) { self.init([Ground(rule: rule)]) }
}

extension TokenDecision.Ground {
  /// The conditions that a policy leaves open, or the controls that it would ask for; nil: there are none.
  fileprivate init?(
    _ policy: ConditionalAccessPolicy, _ judgement: ConditionalAccessPolicy.Judgement
  ) {
    if policy.state == .reportOnly {
      guard judgement.counts else { return nil }
      self.init(rule: .conditionalAccessReports, policy: policy)
      return
    }
    switch judgement {
    case .applies(let names):
      guard policy.state == .enabled, !names.isEmpty else { return nil }
      self.init(rule: .conditionTakenAsMet, policy: policy, conditions: names)
    case .unknown(let membership):
      guard policy.state == .enabled else { return nil }
      self.init(
        rule: membership.isNamed ? .conditionTakenAsMet : .conditionTakenAsNotMet,
        policy: policy,
        conditions: membership.conditions + (membership.isNamed ? membership.takenAsMet : []))
    // The decision states it before all others.
    case .unknownResource, .spared: return nil
    }
  }
}

extension ConditionalAccessPolicy {
  /// The rule that the policy applies to the request; all policies must be satisfied.
  fileprivate func rule(on request: TokenRequest) -> Rule {
    guard !controls.contains(.block) else { return .conditionalAccessBlocks }
    let rules = controls.map { rule(of: $0, on: request) }
    let met = rules.filter { $0.effect == .allowed }
    switch self.operator {
    case .or:
      if let rule = met.first { return rule }
      // The app hears of the control that it can satisfy itself.
      return rules.first { $0 == .protectionRequired } ?? rules.first ?? .grantControlsMet
    case .and:
      return rules.first { $0.effect == .blocked && $0 != .protectionRequired }
        ?? rules.first { $0.effect == .blocked } ?? met.first { $0 == .protectionApplied }
        ?? .grantControlsMet
    }
  }

  private func rule(of control: GrantControl, on request: TokenRequest) -> Rule {
    switch control {
    case .compliantApplication:
      guard request.declaresProtection else { return .protectionNotDeclared }
      return request.isProtected ? .protectionApplied : .protectionRequired
    // The user of a simulation has whatever a user can have.
    case .mfa, .passwordChange: return .grantControlsMet
    case .compliantDevice:
      return request.device.isCompliant ? .grantControlsMet : .grantControlMissing
    case .domainJoinedDevice, .approvedApplication, .block: return .grantControlMissing
    }
  }
}
