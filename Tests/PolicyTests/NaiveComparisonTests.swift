import Policy
import Testing
import Transfer

/// The engine and the naive evaluator agree on every request of the finite domain.
@Suite("Naive evaluator: exhaustive comparison")
struct NaiveExhaustiveTests {
  @Test("share on the system's path: every combination of policies, parties and device state")
  func shareBySystem() {
    let domain = Domain(
      channel: .share, vias: [.os],
      senders: Domain.senders(Domain.sendPolicies, enrolledUPN: [false, true]),
      owners: Domain.owners(Domain.sendPolicies),
      receivers: Domain.receivers(Domain.receivePolicies, mdmManaged: [false, true]),
      devices: Domain.everyDevice)
    domain.expectAgreement(on: 270_816)
  }

  @Test("share on the SDK's path: every combination of policies and parties")
  func shareBySDK() {
    let domain = Domain(
      channel: .share, vias: [.sdk],
      senders: Domain.senders(Domain.sendPolicies, enrolledUPN: [true]),
      owners: Domain.owners(Domain.sendPolicies),
      receivers: Domain.receivers(Domain.receivePolicies, mdmManaged: [false, true]),
      devices: [Domain.looseDevice, Domain.tightDevice])
    domain.expectAgreement(on: 67_704)
  }

  @Test("accounts that share one policy object are still different accounts")
  func sharedPolicyObject() {
    let policies =
      Domain.sendPolicies + Domain.clipboardPolicies(exceptions: [0], isStrict: true)
    var comparison = Comparison()
    for channel in Channel.allCases {
      for policy in policies {
        let domain = Domain(
          channel: channel, senders: Domain.senders([policy], enrolledUPN: [true]),
          owners: Domain.owners(sharing: policy),
          receivers: Domain.receivers([policy], mdmManaged: [false]),
          devices: [Domain.tightDevice])
        domain.compare(&comparison)
      }
    }
    comparison.expectAgreement(on: 23_040)
  }

  @Test("other transfers: every combination of policies, parties and path")
  func otherTransfers() {
    for channel in [Channel.openIn, .import, .extensionResult] {
      let domain = Domain(
        channel: channel,
        senders: Domain.senders(Domain.sendPolicies, enrolledUPN: [true]),
        owners: Domain.owners(Domain.sendPolicies),
        receivers: Domain.receivers(Domain.receivePolicies, mdmManaged: [false, true]),
        devices: [Domain.tightDevice])
      domain.expectAgreement(on: 67_704)
    }
  }

  @Test("clipboard: every combination of levels, exception lengths and parties")
  func clipboard() {
    for isStrict in [false, true] {
      let policies = Domain.clipboardPolicies(exceptions: [0, 5, 10], isStrict: isStrict)
      let receiving = Domain.clipboardPolicies(exceptions: [5], isStrict: isStrict)
      let domain = Domain(
        channel: .clipboard, vias: [.sdk],
        senders: Domain.senders(policies, enrolledUPN: [false]),
        owners: Domain.owners(policies),
        receivers: Domain.receivers(receiving, mdmManaged: [false]),
        contents: [nil, 0, 5, 6, 10, 11].map { Content(characters: $0) })
      domain.expectAgreement(on: 72_540)
    }
  }

  @Test("openURL: every combination of schemes, browsers, exemptions and parties")
  func openURL() {
    let receiving = [Domain.policy { $0.allowedInboundDataTransferSources = .none }]
    let receivers = Domain.receivers(receiving, mdmManaged: [false])
    let domain = Domain(
      channel: .openURL, vias: [.sdk],
      senders: Domain.senders(Domain.linkPolicies, enrolledUPN: [false]),
      owners: Domain.owners(Domain.linkPolicies).filter { !Domain.isColleague($0.account) },
      receivers: receivers.filter { Domain.isSender($0.identity.account) },
      contents: Domain.links)
    domain.expectAgreement(on: 207_920)
  }
}

/// The engine and the naive evaluator agree on requests drawn from everything that a request can say.
@Suite("Naive evaluator: random comparison")
struct NaiveRandomTests {
  @Test("200,000 random requests", arguments: [1, 2] as [UInt64])
  func agree(seed: UInt64) {
    var source = RequestSource(seed: seed)
    var comparison = Comparison()
    for _ in 0..<100_000 where !comparison.isFull { comparison.check(source.request()) }
    comparison.expectAgreement(on: 100_000)
  }

  @Test("the random requests reach every outcome on every channel that has it")
  func reach() {
    var source = RequestSource(seed: 3)
    var seen: [Channel: Set<Outcome>] = [:]
    for _ in 0..<20_000 {
      let request = source.request()
      seen[request.channel, default: []].insert(NaiveEvaluator.outcome(of: request))
    }
    for channel in Channel.allCases {
      let expected: Set<Outcome> =
        channel == .clipboard || channel == .openURL
        ? [.blocked, .allowed] : [.blocked, .encrypted, .allowed]
      #expect(seen[channel] == expected, "\(channel)")
    }
  }
}

/// What holds for every request, whatever the settings.
@Suite("Laws of the policy engine")
struct PolicyLawTests {
  @Test("where nobody is managed, everything is allowed")
  func unmanagedToUnmanaged() {
    expectLaw(seed: 11, requests: 20_000) { request, _ in
      var unmanaged = request
      unmanaged.sender.policy = nil
      unmanaged.owner.policy = nil
      unmanaged.receiver.policy = nil
      let outcome = evaluate(unmanaged).outcome
      return outcome == .allowed ? nil : "without policies \(outcome)"
    }
  }

  @Test("a tighter setting never lets anybody read more")
  func tighterNeverAllowsMore() {
    expectLaw(seed: 12, requests: 4_000) { request, _ in
      let before = evaluate(request).outcome
      for change in Change.tightenings(of: request) {
        let after = evaluate(change.request).outcome
        guard !change.isMonotone(from: before, to: after) else { continue }
        return "\(before), but \(after) with \(change.name)"
      }
      return nil
    }
  }

  @Test("incoming org data never changes an outcome")
  func incomingOrgDataIsNeutral() {
    expectLaw(seed: 13, requests: 10_000) { request, _ in
      expectSame(request, "incoming org data toggled") {
        $0.protectInboundDataFromUnknownSources.toggle()
      }
    }
  }

  @Test("settings of another channel never change an outcome")
  func foreignSettingsAreNeutral() {
    expectLaw(seed: 14, requests: 10_000) { request, source in
      let other = source.settings()
      return expectSame(request, "the other channels' settings redrawn") {
        $0 = Change.mix(relevant: $0, irrelevant: other, for: request.channel)
      }
    }
  }

  @Test("the case of names, object ids and tenants does not matter")
  func caseDoesNotMatter() {
    expectLaw(seed: 15, requests: 20_000) { request, _ in
      let before = evaluate(request).outcome
      for respelled in Respelling.all(of: request) {
        let after = evaluate(respelled).outcome
        guard after != before else { continue }
        return "\(before), but \(after) as \(describe(respelled))"
      }
      return nil
    }
  }

  @Test("being the same account and the same tenant are symmetric")
  func relationsAreSymmetric() {
    for one in RequestSource.accounts {
      for other in RequestSource.accounts {
        #expect(one.isSame(as: other) == other.isSame(as: one))
        #expect(one.isSameTenant(as: other) == other.isSameTenant(as: one))
      }
    }
  }

  @Test("the outcome is the strictest effect among the reasons, of which there is one at least")
  func outcomeFollowsFromReasons() {
    expectLaw(seed: 16, requests: 50_000) { request, _ in
      let verdict = evaluate(request)
      guard let strictest = verdict.reasons.map(\.rule.effect).min() else { return "no reason" }
      guard strictest == verdict.outcome else {
        return "\(verdict.outcome), but the strictest reason says \(strictest)"
      }
      guard verdict.deciding.rule.effect == strictest else { return "the wrong reason decides" }
      return nil
    }
  }

  @Test("the same request gets the same verdict")
  func deterministic() {
    expectLaw(seed: 17, requests: 50_000) { request, _ in
      let copy = request
      return evaluate(request) == evaluate(copy) ? nil : "two verdicts differ"
    }
  }

  private func expectSame(
    _ request: TransferRequest, _ name: String, _ edit: (inout Settings) -> Void
  ) -> String? {
    let before = evaluate(request).outcome
    let after = evaluate(Change.everywhere(in: request, edit)).outcome
    return before == after ? nil : "\(before), but \(after) with \(name)"
  }

  /// Applies `law`, which answers what is wrong, to random requests; stops at the fifth failure.
  private func expectLaw(
    seed: UInt64, requests: Int, _ law: (TransferRequest, inout RequestSource) -> String?
  ) {
    var source = RequestSource(seed: seed)
    var failures: [String] = []
    for _ in 0..<requests where failures.count < Comparison.limit {
      let request = source.request()
      if let failure = law(request, &source) {
        failures.append("\(failure)\n\(describe(request))")
      }
    }
    recordIssues(failures)
  }
}

// MARK: - Comparing

/// One issue each, so that the whole text is printed once.
private func recordIssues(_ texts: [String]) {
  for text in texts { Issue.record("\(text)") }
}

/// Counts cases and keeps the first mismatches.
private struct Comparison {
  static let limit = 5

  private(set) var cases = 0
  private(set) var mismatches: [String] = []

  var isFull: Bool { mismatches.count >= Self.limit }

  mutating func check(_ request: TransferRequest) {
    cases += 1
    let verdict = evaluate(request)
    let expected = NaiveEvaluator.outcome(of: request)
    guard verdict.outcome != expected else { return }
    let reasons = verdict.reasons.map { "\($0.side) \($0.rule)" }.joined(separator: ", ")
    mismatches.append(
      "engine \(verdict.outcome) (\(reasons)), naive \(expected)\n\(describe(request))")
  }

  func expectAgreement(on count: Int) {
    recordIssues(mismatches)
    #expect(isFull || cases == count)
  }
}

/// Parties, contents and device states, all combinations of which are compared.
private struct Domain {
  var channel: Channel
  var vias = SharingPath.allCases
  var senders: [Party]
  /// Besides the sender's own account.
  var owners: [Owner]
  var receivers: [Party]
  var contents = [Content()]
  var devices = [DeviceState()]

  func expectAgreement(on count: Int) {
    var comparison = Comparison()
    compare(&comparison)
    comparison.expectAgreement(on: count)
  }

  func compare(_ comparison: inout Comparison) {
    for sender in senders {
      for owner in owners(beside: sender) {
        for receiver in receivers {
          guard !comparison.isFull else { return }
          compare(
            TransferRequest(channel: channel, sender: sender, owner: owner, receiver: receiver),
            &comparison)
        }
      }
    }
  }

  private func compare(_ parties: TransferRequest, _ comparison: inout Comparison) {
    var request = parties
    for via in vias {
      request.via = via
      for content in contents {
        request.content = content
        for device in devices where !comparison.isFull {
          request.device = device
          comparison.check(request)
        }
      }
    }
  }

  private func owners(beside sender: Party) -> [Owner] {
    guard let account = sender.identity.account else { return owners }
    return owners + [Owner(account: account, policy: sender.policy)]
  }
}

// MARK: - The finite domain

extension Domain {
  private static let tenant = "7c1d5a0e-0000-4000-8000-000000000001"
  private static let otherTenant = "7c1d5a0e-0000-4000-8000-000000000002"
  private static let anna = Account(upn: "anna@contoso.com", objectID: "a1", tenantID: tenant)
  private static let bert = Account(upn: "bert@contoso.com", objectID: "b2", tenantID: tenant)
  private static let carl = Account(upn: "carl@fabrikam.com", objectID: "c3", tenantID: otherTenant)
  private static let dora = Account(upn: "dora@outlook.com")

  private static let homeApp = "com.example.mail"
  private static let awayApp = "com.example.notes"

  static func isSender(_ account: Account?) -> Bool { account?.isSame(as: anna) == true }

  static func isColleague(_ account: Account?) -> Bool { account?.isSame(as: bert) == true }

  /// Nobody, an unknown account, Anna unmanaged, and Anna under each policy.
  static func senders(_ policies: [EffectivePolicy], enrolledUPN: [Bool]) -> [Party] {
    enrolledUPN.flatMap { isEnrolled in
      let app = AppState(bundleID: homeApp, hasEnrolledUPN: isEnrolled)
      return unmanaged(in: app)
        + policies.map { Party(app: app, identity: .account(anna), policy: $0) }
    }
  }

  /// Nobody, an unmanaged account, and a colleague and a stranger under each policy, in an object of
  /// its own.
  static func owners(_ policies: [EffectivePolicy]) -> [Owner] {
    [Owner(), Owner(account: dora)]
      + [bert, carl].flatMap { account in
        policies.map { Owner(account: account, policy: EffectivePolicy(settings: $0.settings)) }
      }
  }

  /// A colleague and a stranger under one object.
  static func owners(sharing policy: EffectivePolicy) -> [Owner] {
    [bert, carl].map { Owner(account: $0, policy: policy) }
  }

  /// In the sender's app and in another: nobody, an unknown account, Anna unmanaged, and Anna, a
  /// colleague and a stranger under each policy.
  static func receivers(_ policies: [EffectivePolicy], mdmManaged: [Bool]) -> [Party] {
    [homeApp, awayApp].flatMap { bundleID in
      mdmManaged.flatMap { isMDMManaged in
        let app = AppState(bundleID: bundleID, isMDMManaged: isMDMManaged)
        return unmanaged(in: app)
          + [anna, bert, carl].flatMap { account in
            policies.map { Party(app: app, identity: .account(account), policy: $0) }
          }
      }
    }
  }

  private static func unmanaged(in app: AppState) -> [Party] {
    [Identity.unset, .unknown, .account(anna)].map { Party(app: app, identity: $0) }
  }

  static let everyDevice = flags.flatMap { isEnrolled in
    flags.map { DeviceState(isMDMEnrolled: isEnrolled, allowOpenFromManagedToUnmanaged: $0) }
  }

  static let looseDevice = DeviceState(isMDMEnrolled: false)
  static let tightDevice = DeviceState(
    isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: false)

  static let flags = [false, true]

  static func policy(_ edit: (inout Settings) -> Void) -> EffectivePolicy {
    var settings = Settings()
    edit(&settings)
    return EffectivePolicy(settings: settings)
  }

  /// Every Send value with every combination of its two flags.
  static let sendPolicies: [EffectivePolicy] = Settings.Destinations.allCases.flatMap { send in
    flags.flatMap { isSharing in
      flags.map { isFiltering in
        policy {
          $0.allowedOutboundDataTransferDestinations = send
          $0.disableProtectionOfManagedOutboundOpenInData = isSharing
          $0.filterOpenInToOnlyManagedApps = isFiltering
        }
      }
    }
  }

  /// Every Receive value with and without incoming org data.
  static let receivePolicies: [EffectivePolicy] = Settings.Sources.allCases.flatMap { receive in
    flags.map { isProtecting in
      policy {
        $0.allowedInboundDataTransferSources = receive
        $0.protectInboundDataFromUnknownSources = isProtecting
      }
    }
  }

  /// Every clipboard level with every exception length; strict ones block all other transfers.
  static func clipboardPolicies(exceptions: [Int], isStrict: Bool) -> [EffectivePolicy] {
    Settings.ClipboardLevel.allCases.flatMap { level in
      exceptions.map { length in
        policy {
          $0.allowedOutboundClipboardSharingLevel = level
          $0.allowedOutboundClipboardSharingExceptionLength = length
          $0.allowedOutboundDataTransferDestinations = isStrict ? .none : .allApps
          $0.allowedInboundDataTransferSources = isStrict ? .none : .allApps
        }
      }
    }
  }

  /// Every Send value with and without exemptions, with every choice of browser.
  static let linkPolicies: [EffectivePolicy] = Settings.Destinations.allCases.flatMap { send in
    [Set<String>(), ["https", "skype"]].flatMap { exempted in
      Settings.Browser.allCases.flatMap { browser in
        flags.flatMap { isRequired in
          ["", "firefox"].map { custom in
            policy {
              $0.allowedOutboundDataTransferDestinations = send
              $0.exemptedAppProtocols = exempted
              $0.managedBrowser = browser
              $0.managedBrowserToOpenLinksRequired = isRequired
              $0.customBrowserProtocol = custom
            }
          }
        }
      }
    }
  }

  static let links: [Content] = [nil, "http", "https", "skype", "tel"].flatMap { scheme in
    flags.flatMap { isKnown in
      flags.map {
        Content(scheme: scheme, isKnownManagedScheme: isKnown, opensInManagedBrowser: $0)
      }
    }
  }
}

// MARK: - Random requests

/// Sebastiano Vigna's SplitMix64.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Draws requests from everything that a request can say.
private struct RequestSource {
  private var generator: SplitMix64
  /// Settings drawn beforehand, because drawing them is slow.
  private var pool: [Settings] = []

  init(seed: UInt64) {
    generator = SplitMix64(state: seed)
    for _ in 0..<2_000 { pool.append(randomSettings()) }
  }

  /// Few people in many spellings: with and without object id and tenant, renamed, and one name given
  /// to somebody else.
  static let accounts: [Account] = [
    Account(upn: "anna@contoso.com", objectID: "a1b2", tenantID: "t-contoso"),
    Account(upn: "Anna@Contoso.com", objectID: "A1B2"),
    Account(upn: "ANNA@contoso.com"),
    Account(upn: "anna.new@contoso.com", objectID: "a1b2", tenantID: "T-Contoso"),
    Account(upn: "anna@contoso.com", objectID: "ffff", tenantID: "t-contoso"),
    Account(upn: "bert@contoso.com", objectID: "b3c4", tenantID: "t-contoso"),
    Account(upn: "bert@CONTOSO.com"),
    Account(upn: "carl@fabrikam.com", objectID: "c5d6", tenantID: "t-fabrikam"),
    Account(upn: "carl@fabrikam.com"),
    Account(upn: "dora@fabrikam.com", objectID: "d7e8", tenantID: "t-contoso"),
    Account(upn: "emil"),
  ]

  mutating func request() -> TransferRequest {
    let sender = party()
    let owner = owner(of: sender)
    return TransferRequest(
      channel: pick(Channel.allCases), via: pick(SharingPath.allCases), sender: sender,
      owner: owner, receiver: receiver(from: sender), content: content(),
      device: DeviceState(isMDMEnrolled: flag(), allowOpenFromManagedToUnmanaged: flag()))
  }

  private mutating func party() -> Party {
    let app = app()
    let identity = identity()
    return Party(app: app, identity: identity, policy: policy(for: identity.account))
  }

  /// Half of the time the sender's own account; one account has one policy in one app.
  private mutating func owner(of sender: Party) -> Owner {
    let account = flag() ? sender.identity.account : identity().account
    guard let account else { return Owner() }
    if let active = sender.identity.account, active.isSame(as: account) {
      return Owner(account: account, policy: sender.policy)
    }
    return Owner(account: account, policy: policy(for: account))
  }

  private mutating func receiver(from sender: Party) -> Party {
    var receiver = party()
    if flag(outOf: 4) { receiver.identity = sender.identity }
    let isSameApp = receiver.app.bundleID == sender.app.bundleID
    if isSameApp && receiver.identity.isSame(as: sender.identity) {
      receiver.policy = sender.policy
    } else if receiver.identity.account == nil {
      receiver.policy = nil
    }
    return receiver
  }

  private mutating func app() -> AppState {
    AppState(
      bundleID: pick(["com.example.mail", "com.example.notes", "com.example.files"]),
      isMultiIdentity: flag(), isMDMManaged: flag(), hasEnrolledUPN: flag())
  }

  private mutating func identity() -> Identity {
    switch index(below: 8) {
    case 0: .unset
    case 1: .unknown
    default: .account(pick(Self.accounts))
    }
  }

  private mutating func policy(for account: Account?) -> EffectivePolicy? {
    guard account != nil, !flag(outOf: 4) else { return nil }
    return EffectivePolicy(settings: settings())
  }

  mutating func settings() -> Settings { pick(pool) }

  private mutating func randomSettings() -> Settings {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = pick(Settings.Destinations.allCases)
    settings.allowedInboundDataTransferSources = pick(Settings.Sources.allCases)
    settings.disableProtectionOfManagedOutboundOpenInData = flag()
    settings.filterOpenInToOnlyManagedApps = flag()
    settings.protectInboundDataFromUnknownSources = flag()
    settings.allowedOutboundClipboardSharingLevel = pick(Settings.ClipboardLevel.allCases)
    settings.allowedOutboundClipboardSharingExceptionLength = pick([0, 0, 1, 5, 10, 65_535])
    settings.exemptedAppProtocols = Set(Self.schemes.filter { _ in flag(outOf: 4) })
    settings.managedBrowser = pick(Settings.Browser.allCases)
    settings.managedBrowserToOpenLinksRequired = flag()
    settings.customBrowserProtocol = flag(outOf: 4) ? "firefox" : ""
    return settings
  }

  private static let schemes = ["http", "https", "tel", "sms", "mailto", "skype"]

  private mutating func content() -> Content {
    Content(
      characters: flag(outOf: 4) ? nil : pick([0, 1, 2, 5, 6, 10, 11, 70_000]),
      scheme: flag(outOf: 8) ? nil : pick(Self.schemes),
      isKnownManagedScheme: flag(), opensInManagedBrowser: flag())
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[index(below: values.count)]
  }

  /// True once in so many times.
  private mutating func flag(outOf count: Int = 2) -> Bool {
    index(below: count) == 0
  }

  private mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: (generator.next() >> 32) % UInt64(count))
  }
}

// MARK: - Changing requests

/// A request that differs in one setting of one policy.
private struct Change {
  var name: String
  var request: TransferRequest
  /// Whether tightening may turn a refusal into ciphertext on the system's path: "None" encrypts there
  /// what "Policy managed apps" may block, and so does giving up OS sharing.
  var mayEncrypt: Bool

  func isMonotone(from before: Outcome, to after: Outcome) -> Bool {
    if mayEncrypt && request.via == .os { return after != .allowed || before == .allowed }
    return after <= before
  }

  /// Every single step to a tighter value, in every policy of the request.
  static func tightenings(of request: TransferRequest) -> [Change] {
    var policies: [EffectivePolicy] = []
    for policy in [request.sender.policy, request.owner.policy, request.receiver.policy] {
      guard let policy, !policies.contains(where: { $0 === policy }) else { continue }
      policies.append(policy)
    }
    return policies.flatMap { policy in
      steps.compactMap { step in
        var settings = policy.settings
        step.tighten(&settings)
        guard settings != policy.settings else { return nil }
        return Change(
          name: step.name, request: replacing(policy, by: settings, in: request),
          mayEncrypt: step.mayEncrypt)
      }
    }
  }

  private struct Step {
    var name: String
    var mayEncrypt = false
    var tighten: @Sendable (inout Settings) -> Void
  }

  private static let steps: [Step] = [
    Step(name: "Send one step tighter", mayEncrypt: true) {
      let send = $0.allowedOutboundDataTransferDestinations
      $0.allowedOutboundDataTransferDestinations = next(
        after: send, in: [.allApps, .managedApps, .none])
    },
    Step(name: "OS sharing off", mayEncrypt: true) {
      $0.disableProtectionOfManagedOutboundOpenInData = false
    },
    Step(name: "filtering on") { $0.filterOpenInToOnlyManagedApps = true },
    Step(name: "Receive one step tighter") {
      let receive = $0.allowedInboundDataTransferSources
      $0.allowedInboundDataTransferSources = next(
        after: receive, in: [.allApps, .managedApps, .none])
    },
    Step(name: "clipboard one step tighter") {
      let level = $0.allowedOutboundClipboardSharingLevel
      $0.allowedOutboundClipboardSharingLevel = next(
        after: level, in: [.allApps, .managedAppsWithPasteIn, .managedApps, .blocked])
    },
    Step(name: "a shorter clipboard exception") {
      let length = $0.allowedOutboundClipboardSharingExceptionLength
      $0.allowedOutboundClipboardSharingExceptionLength = max(0, length - 1)
    },
    Step(name: "no clipboard exception") {
      $0.allowedOutboundClipboardSharingExceptionLength = 0
    },
    Step(name: "no exempted schemes") { $0.exemptedAppProtocols = [] },
    Step(name: "Microsoft Edge") { $0.managedBrowser = .microsoftEdge },
    Step(name: "managed browser required") { $0.managedBrowserToOpenLinksRequired = true },
    Step(name: "no custom browser") { $0.customBrowserProtocol = "" },
  ]

  private static func next<Value: Equatable>(after value: Value, in order: [Value]) -> Value {
    guard let index = order.firstIndex(of: value) else { return value }
    return order[min(index + 1, order.count - 1)]
  }

  /// `request` with `settings` wherever it has `policy`.
  private static func replacing(
    _ policy: EffectivePolicy, by settings: Settings, in request: TransferRequest
  ) -> TransferRequest {
    let replacement = EffectivePolicy(settings: settings)
    var changed = request
    if request.sender.policy === policy { changed.sender.policy = replacement }
    if request.owner.policy === policy { changed.owner.policy = replacement }
    if request.receiver.policy === policy { changed.receiver.policy = replacement }
    return changed
  }

  /// `request` with every policy's settings edited.
  static func everywhere(
    in request: TransferRequest, _ edit: (inout Settings) -> Void
  ) -> TransferRequest {
    func edited(_ policy: EffectivePolicy?) -> EffectivePolicy? {
      policy.map { policy in
        var settings = policy.settings
        edit(&settings)
        return EffectivePolicy(settings: settings)
      }
    }
    var changed = request
    changed.sender.policy = edited(request.sender.policy)
    changed.owner.policy = edited(request.owner.policy)
    changed.receiver.policy = edited(request.receiver.policy)
    return changed
  }

  /// The settings that `channel` may read from one policy, all others from another.
  static func mix(relevant: Settings, irrelevant: Settings, for channel: Channel) -> Settings {
    var mixed = irrelevant
    switch channel {
    case .share, .openIn, .import, .extensionResult:
      mixed.allowedOutboundDataTransferDestinations =
        relevant.allowedOutboundDataTransferDestinations
      mixed.disableProtectionOfManagedOutboundOpenInData =
        relevant.disableProtectionOfManagedOutboundOpenInData
      mixed.filterOpenInToOnlyManagedApps = relevant.filterOpenInToOnlyManagedApps
      mixed.allowedInboundDataTransferSources = relevant.allowedInboundDataTransferSources
    case .clipboard:
      mixed.allowedOutboundClipboardSharingLevel = relevant.allowedOutboundClipboardSharingLevel
      mixed.allowedOutboundClipboardSharingExceptionLength =
        relevant.allowedOutboundClipboardSharingExceptionLength
    case .openURL:
      mixed.allowedOutboundDataTransferDestinations =
        relevant.allowedOutboundDataTransferDestinations
      mixed.exemptedAppProtocols = relevant.exemptedAppProtocols
      mixed.managedBrowser = relevant.managedBrowser
      mixed.managedBrowserToOpenLinksRequired = relevant.managedBrowserToOpenLinksRequired
      mixed.customBrowserProtocol = relevant.customBrowserProtocol
    }
    return mixed
  }
}

/// The same request with accounts written in another case.
private enum Respelling {
  /// Everybody in upper case, and each role alone.
  static func all(of request: TransferRequest) -> [TransferRequest] {
    [(true, true, true), (true, false, false), (false, true, false), (false, false, true)].map {
      respelled(request, sender: $0.0, owner: $0.1, receiver: $0.2)
    }
  }

  private static func respelled(
    _ request: TransferRequest, sender: Bool, owner: Bool, receiver: Bool
  ) -> TransferRequest {
    var changed = request
    if sender { changed.sender.identity = upper(request.sender.identity) }
    if owner { changed.owner.account = request.owner.account.map(upper) }
    if receiver { changed.receiver.identity = upper(request.receiver.identity) }
    return changed
  }

  private static func upper(_ identity: Identity) -> Identity {
    identity.account.map { .account(upper($0)) } ?? identity
  }

  private static func upper(_ account: Account) -> Account {
    Account(
      upn: account.upn.uppercased(), objectID: account.objectID?.uppercased(),
      tenantID: account.tenantID?.uppercased())
  }
}

// MARK: - Describing requests

/// Every fact of a request, a line for each part.
private func describe(_ request: TransferRequest) -> String {
  let owner = request.owner.account.map(describe) ?? "nobody"
  return """
      \(request.channel) via \(request.via)
      sender   \(describe(request.sender))
      owner    \(owner), \(describe(request.owner.policy))
      receiver \(describe(request.receiver))
      content  \(describe(request.content))
      device   \(describe(request.device))
    """
}

private func describe(_ party: Party) -> String {
  let app = words(
    ("multi-identity", party.app.isMultiIdentity), ("MDM-managed", party.app.isMDMManaged),
    ("IntuneMAMUPN", party.app.hasEnrolledUPN))
  return "\(party.app.bundleID) (\(app)): \(describe(party.identity)), \(describe(party.policy))"
}

private func describe(_ identity: Identity) -> String {
  switch identity {
  case .unset: "unset"
  case .unknown: "unknown"
  case .account(let account): describe(account)
  }
}

private func describe(_ account: Account) -> String {
  "\(account.upn) [oid \(account.objectID ?? "-"), tenant \(account.tenantID ?? "-")]"
}

private func describe(_ policy: EffectivePolicy?) -> String {
  guard let settings = policy?.settings else { return "unmanaged" }
  let flags = words(
    ("OS sharing", settings.disableProtectionOfManagedOutboundOpenInData),
    ("filter", settings.filterOpenInToOnlyManagedApps),
    ("incoming org data", settings.protectInboundDataFromUnknownSources),
    ("browser required", settings.managedBrowserToOpenLinksRequired))
  return """
    policy: send \(settings.allowedOutboundDataTransferDestinations), \
    receive \(settings.allowedInboundDataTransferSources), \
    clipboard \(settings.allowedOutboundClipboardSharingLevel) \
    except \(settings.allowedOutboundClipboardSharingExceptionLength), \
    exempted \(settings.exemptedAppProtocols.sorted()), browser \(settings.managedBrowser), \
    custom "\(settings.customBrowserProtocol)", \(flags)
    """
}

private func describe(_ content: Content) -> String {
  let characters = content.characters.map { "\($0) characters" } ?? "no text"
  let flags = words(
    ("known managed scheme", content.isKnownManagedScheme),
    ("opens in managed browser", content.opensInManagedBrowser))
  return "\(characters), scheme \(content.scheme ?? "none"), \(flags)"
}

private func describe(_ device: DeviceState) -> String {
  words(
    ("MDM-enrolled", device.isMDMEnrolled),
    ("managed to unmanaged", device.allowOpenFromManagedToUnmanaged))
}

private func words(_ flags: (String, Bool)...) -> String {
  let set = flags.filter(\.1).map(\.0)
  return set.isEmpty ? "no flags" : set.joined(separator: ", ")
}
