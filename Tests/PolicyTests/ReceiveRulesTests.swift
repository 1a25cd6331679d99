import Model
import Policy
import Testing

/// "Receive data from other apps".
struct ReceiveRulesTests {
  static let managed = Fixtures.party("app", Fixtures.anna, Fixtures.policy())
  static let unmanaged = Fixtures.party("app", Fixtures.personal)

  @Test(
    arguments: [
      (Settings.Sources.allApps, "receiveAllApps", "receiveAllApps"),
      (.managedApps, "receiveManagedAppsFromManaged", "receiveManagedAppsFromUnmanaged"),
      (.none, "receiveNone", "receiveNone"),
    ])
  func `a receiver's policy takes what it says`(
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

  @Test func `the owner counts, not the identity that sends`() {
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
  func `incoming org data needs an enrolled device, the UPN, and no owner`(
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

  @Test func `a multi-identity app may take refused data as nobody`() throws {
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(.managedApps))
    let request = Fixtures.request(from: Self.unmanaged, to: receiver)
    let switched = try #require(documentImport(for: request, verdict: evaluate(request)))
    #expect(switched.receiver.identity.accountID == "")
    #expect(switched.receiver.policy == nil)
    let verdict = evaluate(importing: switched)
    #expect(verdict.words == ["documentImport(receiver)", "noRuleApplied(device)"])
    #expect(verdict.outcome == .allowed)
  }

  @Test func `a document import does not free managed data`() throws {
    let sender = Fixtures.party("app", Fixtures.anna, Fixtures.send(.managedApps))
    let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(.none))
    let request = Fixtures.request(from: sender, to: receiver)
    let switched = try #require(documentImport(for: request, verdict: evaluate(request)))
    #expect(evaluate(importing: switched).deciding.rule == .sendManagedAppsToUnmanaged)
  }

  @Test func `no document import where it could not help`() {
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

  @Test func `the receiving side is asked alone, whatever the sending side says`() {
    let sender = Fixtures.party("app", Fixtures.anna, Fixtures.send(.none))
    for (sources, rule) in [
      (Settings.Sources.allApps, "receiveAllApps(receiver)"), (.none, "receiveNone(receiver)"),
    ] {
      let receiver = Fixtures.party("peer", Fixtures.anna, Fixtures.receive(sources))
      #expect(evaluateReceiving(Fixtures.request(from: sender, to: receiver)).words == [rule])
    }
  }

  @Test func `an item from or to another device says so`() {
    let (app, elsewhere) = (Fixtures.party("app", nil), Fixtures.party("", nil))
    #expect(
      evaluate(Fixtures.request(from: elsewhere, to: app)).words.last == "fromAnotherDevice(device)"
    )
    #expect(
      evaluate(Fixtures.request(from: app, to: elsewhere)).words.last == "toAnotherDevice(device)")
    #expect(evaluate(Fixtures.request(from: app, to: app)).words.count == 1)
  }
}
