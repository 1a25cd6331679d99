internal import AppConfiguration
internal import Encodings
package import Enrollment
package import Model
internal import Policy
internal import Secrets
internal import Wire

/// Issues tokens that let apps access resources on behalf of an account.
package final class TokenService: HostService {
  private(set) var conditionalAccess: ConditionalAccess
  private let configuration: DeviceConfiguration
  private let access: AccessController
  private let enrollment: EnrollmentCoordinator
  /// The key that signs tokens; nil before its first use.
  private var key: PrivateKey?

  /// Creates the service with the signing key of an earlier run, if there is one.
  ///
  /// - Throws: ``HostError`` if the database fails, or the key is damaged.
  init(
    _ core: ServiceCore, _ configuration: DeviceConfiguration, access: AccessController,
    enrollment: EnrollmentCoordinator
  ) throws(HostError) {
    conditionalAccess = configuration.conditionalAccess
    self.configuration = configuration
    self.access = access
    self.enrollment = enrollment
    key = try Self.key(in: core.database)
    super.init(core)
  }

  /// Assigns a conditional access policy to `accounts`, replacing the policy's earlier assignments.
  package func assign(_ name: String, to accounts: [Account]) {
    conditionalAccess.assign(name, to: accounts)
  }

  package func assign(_ conditionalAccess: ConditionalAccess) {
    self.conditionalAccess = conditionalAccess
  }

  func acquireToken(_ request: AcquireToken, _ pending: PendingRequest) {
    let guest = pending.guest
    let account = directory.account(named: request.account)
    let wanted = TokenRequest(
      account: account, resource: request.resource, capabilities: request.capabilities,
      isProtected: guest.accounts.policy(of: account) != nil
        && !registry.isBeingWiped(account, in: guest),
      device: directoryDevice,
      isAccountDisabled: access.isDisabled(account),
      isOnline: access.conditions.isOnline)
    let decision = conditionalAccess.decide(wanted)
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: .acquireToken,
        sender: pending.actingIdentity.participant,
        subject: account.upn, verdict: decision.explained))
    var outcome = RequestOutcome(
      verdict: decision.verdict.outcome, end: .refused,
      reasons: decision.verdict.reasons.map(OutcomeReason.init), status: decision.status)
    if decision.verdict.outcome == .allowed {
      let token = token(for: wanted, client: guest.app.protectedBundleID)
      outcome.end = .delivered
      outcome.items = [Item(type: "public.utf8-plain-text", payload: .inline(Array(token.utf8)))]
      enrollment.didAcquireToken(for: account, in: guest)
    } else if decision.verdict.deciding.rule == .protectionRequired {
      outcome.homeAccount = wanted.homeAccount
    }
    replies.finish(pending, outcome)
  }

  private func token(for request: TokenRequest, client: String) -> String {
    let key = signingKey()
    return AccessToken(
      account: request.account, resource: request.resource, client: client,
      capabilities: request.capabilities, issuedAt: clock.now
    ).signed(keyID: configuration.name) { key.es256Signature(of: $0) }
  }

  /// The JSON Web Key Set (RFC 7517) with which resources verify tokens.
  package var keys: TokenKeySet {
    guard let point = signingKey().p256Point else {
      preconditionFailure("the token signing key is not a P-256 key")
    }
    return TokenKeySet(keyID: configuration.name, publicKey: point)
  }

  /// Returns the key of an earlier run; nil if there is none.
  private static func key(in database: DeviceDatabase) throws(HostError) -> PrivateKey? {
    guard let bytes = try database.storedSecret("token") else { return nil }
    guard let key = try? PrivateKey(der: bytes), key.p256Point != nil else {
      throw HostError(.database, "the secret `token` in the device's database is damaged")
    }
    return key
  }

  /// Returns the signing key, creating it on first use.
  private func signingKey() -> PrivateKey {
    if let key { return key }
    guard let key = try? PrivateKey(.p256) else {
      preconditionFailure("libcrypto cannot create a key")
    }
    durability.persist { () throws(HostError) in
      _ = try database.secret("token") { key.der }
    }
    self.key = key
    return key
  }

  /// The device's entry in Microsoft Entra's directory.
  var directoryDevice: DirectoryDevice {
    var entry = configuration.directory
    if entry.attributes[.deviceId] == nil, entry.isRegistered ?? true,
      let id = configuration.configurationTokens[.aaddeviceid]
    {
      entry.attributes[.deviceId] = [id]
    }
    return DirectoryDevice(
      entry, isMDMEnrolled: policies.deviceState.isMDMEnrolled,
      osVersion: "\(access.conditions.osVersion)", model: access.conditions.model)
  }
}

extension TokenDecision {
  /// The verdict. Each reason cites the conditional access policy that causes it, if there is one.
  fileprivate var explained: ExplainedVerdict {
    var explained = Explainer.explain(verdict)
    for (index, ground) in grounds.enumerated() {
      guard let policy = ground.policy else { continue }
      let part = ground.part(of: policy)
      explained.reasons[index].setting = part.name
      explained.reasons[index].label = part.label
      explained.reasons[index].value = ground.value(of: policy)
      explained.reasons[index].source = "\(policy.file):\(policy.position.line)"
    }
    return explained
  }
}

extension TokenDecision.Ground {
  /// Returns the name in Graph and the admin centre label of the policy property that causes this reason.
  fileprivate func part(of policy: ConditionalAccessPolicy) -> (name: String, label: String) {
    switch policy.state {
    case .reportOnly: ("state", "Enable policy")
    case .enabled, .disabled:
      if conditions.isEmpty { ("grantControls", "Grant") } else { ("conditions", "Conditions") }
    }
  }

  fileprivate func value(of policy: ConditionalAccessPolicy) -> String {
    let names = conditions.map { "`\($0)`" }.joined(separator: ", ")
    return "`\(policy.displayName)`" + (names.isEmpty ? "" : ": \(names)")
  }
}
