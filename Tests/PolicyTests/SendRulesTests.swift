import Model
import Policy
import Testing

/// Tests "Send org data to other apps".
struct SendRulesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var policy: EffectivePolicy
    var via = SharingPath.sdk
    var receiver: Party
    var device = DeviceRestrictions()
    var outcome: Outcome
    var reasons: [String]

    var testDescription: String { name }
  }

  static let peer = Fixtures.party("peer", Fixtures.anna, Fixtures.policy())
  static let colleague = Fixtures.party("peer", Fixtures.bob, Fixtures.policy())
  static let stranger = Fixtures.party("peer", Fixtures.carl, Fixtures.policy())
  static let unmanaged = Fixtures.party("peer", nil)
  static let mdmManaged = Fixtures.party("peer", nil, isMDMManaged: true)

  static let osSharing = Fixtures.policy {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.disableProtectionOfManagedOutboundOpenInData = true
  }
  static let filtering = Fixtures.policy {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.filterOpenInToOnlyManagedApps = true
  }
  static let bothFlags = Fixtures.policy {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.disableProtectionOfManagedOutboundOpenInData = true
    $0.filterOpenInToOnlyManagedApps = true
  }

  static let sdkRows = [
    Row(
      name: "all apps to unmanaged", policy: Fixtures.send(.allApps), receiver: unmanaged,
      outcome: .allowed, reasons: ["sendAllApps(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "all apps to another tenant", policy: Fixtures.send(.allApps), receiver: stranger,
      outcome: .allowed, reasons: ["sendAllApps(sender)", "receiveAllApps(receiver)"]),
    Row(
      name: "none to the same account", policy: Fixtures.send(.none), receiver: peer,
      outcome: .blocked, reasons: ["sendNone(sender)", "receiveAllApps(receiver)"]),
    Row(
      name: "none to unmanaged", policy: Fixtures.send(.none), receiver: unmanaged,
      outcome: .blocked, reasons: ["sendNone(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "managed apps to the same account", policy: Fixtures.send(.managedApps),
      receiver: peer, outcome: .allowed,
      reasons: ["sendManagedAppsToManaged(sender)", "receiveAllApps(receiver)"]),
    Row(
      name: "managed apps to the same tenant", policy: Fixtures.send(.managedApps),
      receiver: colleague, outcome: .allowed,
      reasons: [
        "sendManagedAppsToManaged(sender)", "sameTenant(sender)", "receiveAllApps(receiver)",
      ]),
    Row(
      name: "managed apps to another tenant", policy: Fixtures.send(.managedApps),
      receiver: stranger, outcome: .blocked,
      reasons: ["otherTenant(sender)", "receiveAllApps(receiver)"]),
    Row(
      name: "managed apps to unmanaged", policy: Fixtures.send(.managedApps), receiver: unmanaged,
      outcome: .blocked,
      reasons: ["sendManagedAppsToUnmanaged(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "OS sharing changes nothing on the SDK path", policy: osSharing, receiver: mdmManaged,
      device: Fixtures.enrolled(), outcome: .blocked,
      reasons: ["sendManagedAppsToUnmanaged(sender)", "unmanagedReceiver(receiver)"]),
  ]

  static let osRows = [
    Row(
      name: "none also encrypts for managed receivers", policy: Fixtures.send(.none), via: .os,
      receiver: peer, outcome: .encrypted,
      reasons: ["sendNoneEncrypts(sender)", "receiveAllApps(receiver)"]),
    Row(
      name: "managed apps encrypts", policy: Fixtures.send(.managedApps), via: .os,
      receiver: unmanaged, outcome: .encrypted,
      reasons: ["sendManagedAppsEncrypts(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "managed apps stays readable for managed receivers",
      policy: Fixtures.send(.managedApps), via: .os, receiver: peer, outcome: .allowed,
      reasons: ["sendManagedAppsToManaged(sender)", "receiveAllApps(receiver)"]),
    Row(
      name: "the filter blocks", policy: filtering, via: .os, receiver: unmanaged,
      outcome: .blocked, reasons: ["openInFilter(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "the filter wins over OS sharing", policy: bothFlags, via: .os, receiver: mdmManaged,
      device: Fixtures.enrolled(), outcome: .blocked,
      reasons: ["openInFilter(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "OS sharing off the device's MDM encrypts", policy: osSharing, via: .os,
      receiver: unmanaged, outcome: .encrypted,
      reasons: ["sendManagedAppsEncrypts(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "OS sharing to any app", policy: osSharing, via: .os, receiver: unmanaged,
      device: Fixtures.enrolled(), outcome: .allowed,
      reasons: ["osSharing(sender)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "OS sharing under the restriction", policy: osSharing, via: .os, receiver: unmanaged,
      device: Fixtures.enrolled(allowsOpen: false), outcome: .blocked,
      reasons: ["managedOpenInRestriction(device)", "unmanagedReceiver(receiver)"]),
    Row(
      name: "OS sharing under the restriction to an MDM-managed app", policy: osSharing, via: .os,
      receiver: mdmManaged, device: Fixtures.enrolled(allowsOpen: false), outcome: .allowed,
      reasons: ["osSharing(sender)", "unmanagedReceiver(receiver)"]),
  ]

  @Test(arguments: sdkRows + osRows)
  func `each level of Send allows its receivers`(row: Row) {
    let sender = Fixtures.party("app", Fixtures.anna, row.policy, hasEnrolledUPN: true)
    for channel in [Channel.share, .openIn, .import, .extensionResult] {
      let verdict = evaluate(
        Fixtures.request(
          channel, via: row.via, from: sender, to: row.receiver, device: row.device))
      #expect(verdict.outcome == row.outcome)
      #expect(verdict.words == row.reasons)
    }
  }

  @Test func `system sharing requires the enrolled user's UPN`() {
    let sender = Fixtures.party("app", Fixtures.anna, Self.osSharing)
    let verdict = evaluate(
      Fixtures.request(
        via: .os, from: sender, to: Self.unmanaged, device: Fixtures.enrolled()))
    #expect(verdict.words.first == "sendManagedAppsEncrypts(sender)")
  }

  @Test func `if Send and MDM both restrict OS sharing, the verdict names MDM and not Send`() {
    let sender = Fixtures.party(
      "app", Fixtures.anna, Self.osSharing, isMDMManaged: true, hasEnrolledUPN: true)
    let verdict = evaluate(
      Fixtures.request(
        via: .os, from: sender, to: Self.unmanaged, device: Fixtures.enrolled(allowsOpen: false)))
    #expect(verdict.words == ["managedOpenInRestriction(device)", "unmanagedReceiver(receiver)"])
  }

  @Test func `a transfer between unmanaged identities is allowed, and no rule applies`() {
    let verdict = evaluate(
      Fixtures.request(from: Fixtures.party("app", Fixtures.personal), to: Self.unmanaged))
    #expect(verdict.words == ["noRuleApplied(device)"])
    #expect(verdict.outcome == .allowed)
  }

  @Test func `an item is sent only if the policies of both owner and sender allow it`() {
    let sender = Fixtures.party("app", Fixtures.bob, Fixtures.send(.allApps))
    let owner = Owner(account: Fixtures.anna, policy: Fixtures.send(.none))
    let verdict = evaluate(Fixtures.request(from: sender, to: Self.unmanaged, owner: owner))
    #expect(
      verdict.words == [
        "sendNone(owner)", "sendAllApps(sender)", "unmanagedReceiver(receiver)",
      ])
  }

  @Test func `the owner's policy still applies if an unmanaged identity forwards managed data`() {
    let sender = Fixtures.party("app", nil)
    let owner = Owner(account: Fixtures.anna, policy: Fixtures.send(.managedApps))
    let verdict = evaluate(Fixtures.request(from: sender, to: Self.unmanaged, owner: owner))
    #expect(
      verdict.words == ["sendManagedAppsToUnmanaged(owner)", "unmanagedReceiver(receiver)"])
  }

  @Test func `an account in two spellings is evaluated as one account`() {
    let policy = Fixtures.send(.managedApps)
    let sender = Fixtures.party("app", Fixtures.anna, policy)
    let renamed = Account(upn: "ANNA.NEW@contoso.com", objectID: "a-1", tenantID: "CONTOSO")
    let owner = Owner(account: renamed, policy: Fixtures.send(.managedApps))
    let verdict = evaluate(Fixtures.request(from: sender, to: Self.peer, owner: owner))
    #expect(
      verdict.words == ["sendManagedAppsToManaged(sender)", "receiveAllApps(receiver)"])
  }

  @Test func `an app may share with its own extension under one identity`() {
    let policy = Fixtures.policy {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.allowedInboundDataTransferSources = .none
    }
    let app = Fixtures.party("app", Fixtures.anna, policy)
    let verdict = evaluate(Fixtures.request(from: app, to: app))
    #expect(verdict.words == ["sameAppSameIdentity(sender)"])
    #expect(verdict.outcome == .allowed)
  }

  @Test func `within an app, another account's data stays under its owner's policy`() {
    let app = Fixtures.party("app", nil)
    let owner = Owner(account: Fixtures.anna, policy: Fixtures.send(.managedApps))
    let verdict = evaluate(Fixtures.request(from: app, to: app, owner: owner))
    #expect(
      verdict.words == ["sameAppSameIdentity(sender)", "sendManagedAppsToUnmanaged(owner)"])
    #expect(verdict.outcome == .blocked)
  }

  @Test func `within an app, an account's Receive setting restricts data of other accounts`() {
    let app = Fixtures.party("app", Fixtures.anna, Fixtures.receive(.managedApps))
    let request = Fixtures.request(from: app, to: app, owner: Owner(account: Fixtures.personal))
    #expect(
      evaluate(request).words == [
        "sameAppSameIdentity(sender)", "receiveManagedAppsFromUnmanaged(receiver)",
      ])
  }

  @Test func `data of an owner in another tenant has its own reason, even under the same policy`() {
    let policy = Fixtures.send(.managedApps)
    let sender = Fixtures.party("app", Fixtures.anna, policy)
    let owner = Owner(account: Fixtures.carl, policy: policy)
    #expect(
      evaluate(Fixtures.request(from: sender, to: Self.peer, owner: owner)).words == [
        "otherTenant(owner)", "sendManagedAppsToManaged(sender)", "receiveAllApps(receiver)",
      ])
  }

  @Test func `a managed account's data cannot move to an unmanaged identity of the same app`() {
    let managed = Fixtures.party("app", Fixtures.anna, Fixtures.send(.managedApps))
    let verdict = evaluate(Fixtures.request(from: managed, to: Fixtures.party("app", nil)))
    #expect(verdict.outcome == .blocked)
  }
}

/// Tests the transfers of the SDK guide's stage 5. Send and Receive are both "Policy managed apps".
struct TransferCriteriaTests {
  static let policy = Fixtures.policy {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.allowedInboundDataTransferSources = .managedApps
  }

  @Test(
    arguments: [
      ("SEND-1", true, false, Outcome.blocked), ("SEND-2", true, true, .allowed),
      ("SEND-3", false, true, .blocked), ("SEND-4", false, false, .allowed),
    ], [Channel.share, .openIn, .import, .extensionResult])
  func `managed data reaches only managed identities`(
    row: (id: String, isFromManaged: Bool, isToManaged: Bool, outcome: Outcome), channel: Channel
  ) {
    func end(_ bundleID: String, _ isManaged: Bool) -> Party {
      isManaged
        ? Fixtures.party(bundleID, Fixtures.anna, Self.policy)
        : Fixtures.party(bundleID, Fixtures.personal)
    }
    let request = Fixtures.request(
      channel, from: end("app", row.isFromManaged), to: end("peer", row.isToManaged))
    #expect(evaluate(request).outcome == row.outcome, "\(row.id)")
  }
}
