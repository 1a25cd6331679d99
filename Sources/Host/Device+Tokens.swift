internal import AppConfiguration
internal import Cryptography
package import Enrollment
internal import JSON
internal import Policy
internal import Transfer
internal import Wire

/// The token service: what an app gets that wants to reach a resource as an account.
extension Device {
  func acquireToken(_ request: AcquireToken, _ origin: Origin) {
    let guest = origin.guest
    let account = account(named: request.account)
    let wanted = TokenRequest(
      account: account, resource: request.resource, capabilities: request.capabilities,
      isProtected: policy(of: account, in: guest) != nil && !isBeingWiped(account, in: guest),
      device: directoryDevice,
      isAccountDisabled: disabledAccounts.contains { $0.isSame(as: account) },
      isOnline: conditions.isOnline)
    let decision = desk.conditionalAccess.decide(wanted)
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: .acquireToken, sender: origin.persona.participant,
        subject: account.upn, verdict: decision.explained))
    var outcome = RequestOutcome(
      verdict: decision.verdict.outcome, end: .refused,
      reasons: decision.verdict.reasons.map(OutcomeReason.init), status: decision.status)
    if decision.verdict.outcome == .allowed {
      let token = token(for: wanted, client: protectedBundle(of: guest.app))
      outcome.end = .delivered
      outcome.items = [Item(type: "public.utf8-plain-text", payload: .inline(Array(token.utf8)))]
      desk.queues[appOf(guest).name]?.succeed(account)
    } else if decision.verdict.deciding.rule == .protectionRequired {
      outcome.homeAccount = wanted.homeAccount
    }
    finish(origin, outcome)
  }

  private func token(for request: TokenRequest, client: String) -> String {
    let key = tokenKey()
    return AccessToken(
      account: request.account, resource: request.resource, client: client,
      capabilities: request.capabilities, issuedAt: clock.now
    ).signed(keyID: configuration.name) { key.signature(of: $0) }
  }

  /// What those check tokens with who take them: a set of JSON Web Keys (RFC 7517).
  public var tokenKeySet: String { tokenKeys.json }

  package var tokenKeys: TokenKeySet {
    TokenKeySet(keyID: configuration.name, publicKey: tokenKey().publicKey)
  }

  /// The key that an earlier run of the device has made; nil where none has.
  static func tokenKey(in database: DeviceDatabase) throws(HostError) -> P256SigningKey? {
    guard let bytes = try database.storedSecret("token") else { return nil }
    guard let key = P256SigningKey(derRepresentation: bytes) else {
      throw HostError(.database, "the secret `token` in the device's database is damaged")
    }
    return key
  }

  /// The device's own, made on first use.
  private func tokenKey() -> P256SigningKey {
    if let key = desk.tokenKey { return key }
    let key = P256SigningKey()
    persist { () throws(HostError) in
      _ = try database.secret("token") { key.derRepresentation }
    }
    desk.tokenKey = key
    return key
  }
}

extension TokenDecision {
  /// The verdict with the policies that the reasons come from.
  fileprivate var explained: ExplainedVerdict {
    var explained = Explainer.explain(verdict)
    for (index, ground) in grounds.enumerated() {
      guard let policy = ground.policy else { continue }
      let part = ground.part
      explained.reasons[index].setting = part.name
      explained.reasons[index].label = part.label
      explained.reasons[index].value = ground.value(of: policy)
      explained.reasons[index].source = "\(policy.file):\(policy.position.line)"
    }
    return explained
  }
}

extension TokenDecision.Ground {
  /// The part of a policy that the rule is about, as Graph and as the admin centre calls it.
  fileprivate var part: (name: String, label: String) {
    switch rule {
    case .conditionalAccessReports: ("state", "Enable policy")
    case .conditionTakenAsMet, .conditionTakenAsNotMet: ("conditions", "Conditions")
    default: ("grantControls", "Grant")
    }
  }

  fileprivate func value(of policy: ConditionalAccessPolicy) -> String {
    let names = conditions.map { "`\($0)`" }.joined(separator: ", ")
    return "`\(policy.displayName)`" + (names.isEmpty ? "" : ": \(names)")
  }
}

extension Device {
  /// What Microsoft Entra's directory knows of the device.
  var directoryDevice: DirectoryDevice {
    var entry = configuration.directory
    if entry.attributes[.deviceId] == nil, entry.isRegistered ?? true,
      let id = configuration.configurationTokens[.aaddeviceid]
    {
      entry.attributes[.deviceId] = [id]
    }
    return DirectoryDevice(
      entry, isMDMEnrolled: configuration.state.isMDMEnrolled,
      osVersion: "\(conditions.osVersion)", model: conditions.model)
  }
}
