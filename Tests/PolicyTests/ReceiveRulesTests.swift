import Model
import Policy
import Testing

/// Tests "Receive data from other apps".
struct ReceiveRulesTests {
  static let managed = Fixtures.party("app", Fixtures.anna, Fixtures.policy())
  static let unmanaged = Fixtures.party("app", Fixtures.personal)

  @Test(
    arguments: [
      (Settings.Sources.allApps, "receiveAllApps", "receiveAllApps"),
      (.managedApps, "receiveManagedAppsFromManaged", "receiveManagedAppsFromUnmanaged"),
      (.none, "receiveNone", "receiveNone"),
    ])
  func `each level of Receive accepts the senders that it names`(
    sources: Settings.Sources, fromManaged: String, fromUnmanaged: String
  ) {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(sources))
    let first = evaluate(Fixtures.request(from: Self.managed, to: receiver))
    #expect(first.words == ["sendAllApps(sender)", "\(fromManaged)(receiver)"])
    #expect(first.outcome == (sources == .none ? .blocked : .allowed))
    let second = evaluate(Fixtures.request(from: Self.unmanaged, to: receiver))
    #expect(second.words == ["unmanagedSender(sender)", "\(fromUnmanaged)(receiver)"])
    #expect(second.outcome == (sources == .allApps ? .allowed : .blocked))
  }

  @Test func `Receive treats data without an owner as unmanaged, even from a managed sender`() {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(.managedApps))
    let verdict = evaluate(Fixtures.request(from: Self.managed, to: receiver, owner: Owner()))
    #expect(verdict.deciding.rule == .receiveManagedAppsFromUnmanaged)
  }

  @Test(
    arguments: [
      (true, true, nil, Rule.incomingOrgData),
      (false, true, nil, .receiveAllApps),
      (true, false, nil, .receiveAllApps),
      (true, true, Fixtures.personal, .receiveAllApps),
    ] as [(Bool, Bool, Account?, Rule)])
  func `incoming data without an owner becomes org data only on the enrolled user's device`(
    isEnrolled: Bool, hasUPN: Bool, owner: Account?, rule: Rule
  ) {
    let policy = Fixtures.policy { $0.protectInboundDataFromUnknownSources = true }
    let receiver = Fixtures.party("peer", Fixtures.anna, policy, hasEnrolledUPN: hasUPN)
    let verdict = evaluate(
      Fixtures.request(
        from: Self.unmanaged, to: receiver, owner: Owner(account: owner),
        device: DeviceRestrictions(isMDMEnrolled: isEnrolled)))
    #expect(verdict.reasons.last?.rule == rule)
    #expect(verdict.outcome == .allowed)
  }

  @Test(
    arguments: [
      (Settings.Sources.allApps, true, true), (.allApps, false, false), (.managedApps, true, false),
      (.none, true, false),
    ])
  func
    `an app receives data without an owner for the enrolled user only under "All apps with incoming Org data"`(
      sources: Settings.Sources, protectsUnknown: Bool, takesData: Bool
    )
  {
    let policy = Fixtures.policy {
      $0.allowedInboundDataTransferSources = sources
      $0.protectInboundDataFromUnknownSources = protectsUnknown
    }
    for (isEnrolled, hasUPN) in [(true, true), (true, false), (false, true)] {
      let party = Fixtures.party("peer", Fixtures.anna, policy, hasEnrolledUPN: hasUPN)
      let device = DeviceRestrictions(isMDMEnrolled: isEnrolled)
      #expect(party.takesUnownedData(on: device) == (takesData && isEnrolled && hasUPN))
    }
  }

  /// A transfer to an app whose required account is not signed in.
  struct Requirement: Sendable {
    var sender = ReceiveRulesTests.unmanaged
    var owner = Owner()
    var isByMDM = true
    var isEnrolled = true
    var isLacking = true
    var version: Version?
    var words: [String]
  }

  static let requirements = [
    // Mail, which MDM manages, and data without an owner.
    Requirement(
      words: [
        "unmanagedSender(sender)", "unmanagedReceiver(receiver)", "workAccountRequired(receiver)",
      ]),
    Requirement(
      sender: managed, owner: Owner(account: Fixtures.anna, policy: managed.policy), isByMDM: false,
      words: [
        "sendAllApps(sender)", "unmanagedReceiver(receiver)", "workAccountRequired(receiver)",
      ]),
    Requirement(
      version: Version(12, 3, 3),
      words: [
        "unmanagedSender(sender)", "unmanagedReceiver(receiver)", "workAccountRequired(receiver)",
      ]),
    Requirement(version: Version(12, 3, 2), words: ["noRuleApplied(device)"]),
    Requirement(isByMDM: false, words: ["noRuleApplied(device)"]),
    Requirement(isEnrolled: false, words: ["noRuleApplied(device)"]),
    Requirement(isLacking: false, words: ["noRuleApplied(device)"]),
    Requirement(owner: Owner(account: Fixtures.personal), words: ["noRuleApplied(device)"]),
  ]

  @Test(arguments: requirements)
  func `an app without its required account receives no org data`(row: Requirement) {
    var sender = row.sender
    sender.app.isMDMManaged = row.isByMDM
    var receiver = Fixtures.party("peer", nil)
    receiver.app.isMDMManaged = true
    receiver.app.lacksRequiredAccount = row.isLacking
    receiver.app.sdkVersion = row.version
    let request = Fixtures.request(
      from: sender, to: receiver, owner: row.owner,
      device: DeviceRestrictions(isMDMEnrolled: row.isEnrolled))
    let verdict = evaluate(request)
    #expect(verdict.words == row.words)
    let isBlocked = row.words.last == "workAccountRequired(receiver)"
    #expect(verdict.outcome == (isBlocked ? .blocked : .allowed))
    #expect(documentImport(for: request, verdict: verdict) == nil)
    #expect(evaluateReceiving(request).outcome == verdict.outcome)
  }

  @Test func `a multi-identity app may import blocked data as an unmanaged account`() throws {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(.managedApps))
    let request = Fixtures.request(from: Self.unmanaged, to: receiver)
    let switched = try #require(documentImport(for: request, verdict: evaluate(request)))
    #expect(switched.receiver.identity.accountID == "")
    #expect(switched.receiver.policy == nil)
    let verdict = evaluate(importing: switched)
    #expect(verdict.words == ["documentImport(receiver)", "noRuleApplied(device)"])
    #expect(verdict.outcome == .allowed)
  }

  @Test func `a document import is blocked if the sender's policy protects the data`() throws {
    let sender = Fixtures.party("app", Fixtures.anna, Fixtures.send(.managedApps))
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(.none))
    let request = Fixtures.request(from: sender, to: receiver)
    let switched = try #require(documentImport(for: request, verdict: evaluate(request)))
    #expect(evaluate(importing: switched).deciding.rule == .sendManagedAppsToUnmanaged)
  }

  @Test func `a document import is not offered if it would not change the verdict`() {
    let none = Fixtures.receive(.none)
    let single = Fixtures.party("peer", Fixtures.anna, none, isMultiIdentity: false)
    let several = Fixtures.party("peer", Fixtures.anna, none)
    let strict = Fixtures.party("app", Fixtures.anna, Fixtures.send(.none))
    let open = Fixtures.party("peer", Fixtures.anna, Fixtures.policy())
    for request in [
      Fixtures.request(from: Self.unmanaged, to: single),
      Fixtures.request(from: strict, to: several),
      Fixtures.request(from: Self.unmanaged, to: open),
      Fixtures.request(
        .clipboard, from: Self.unmanaged,
        to: Fixtures.party("peer", Fixtures.anna, Fixtures.clipboard(.blocked))),
    ] {
      #expect(documentImport(for: request, verdict: evaluate(request)) == nil)
    }
  }

  @Test func `the receiver's verdict does not depend on the sender's policy`() {
    let sender = Fixtures.party("app", Fixtures.anna, Fixtures.send(.none))
    for (sources, rule) in [
      (Settings.Sources.allApps, "receiveAllApps(receiver)"), (.none, "receiveNone(receiver)"),
    ] {
      let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(sources))
      #expect(evaluateReceiving(Fixtures.request(from: sender, to: receiver)).words == [rule])
    }
  }

  @Test func `a transfer from or to another device cites the rule for that direction`() {
    let (app, elsewhere) = (Fixtures.party("app", nil), Fixtures.party("", nil))
    #expect(
      evaluate(Fixtures.request(from: elsewhere, to: app)).words.last == "fromAnotherDevice(device)"
    )
    #expect(
      evaluate(Fixtures.request(from: app, to: elsewhere)).words.last == "toAnotherDevice(device)")
    #expect(evaluate(Fixtures.request(from: app, to: app)).words.count == 1)
  }
}
