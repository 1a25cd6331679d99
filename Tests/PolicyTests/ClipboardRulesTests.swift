import Model
import Policy
import Testing

/// Tests "Restrict cut, copy, and paste between other apps".
struct ClipboardRulesTests {
  typealias Level = Settings.ClipboardLevel

  static let unmanaged = Fixtures.party("peer", Fixtures.personal)

  static func managed(_ level: Level, exception: Int = 0, app: String = "app") -> Party {
    Fixtures.party(app, Fixtures.anna, Fixtures.clipboard(level, exception: exception))
  }

  static func paste(from sender: Party, to receiver: Party, characters: Int? = nil) -> Verdict {
    evaluate(
      Fixtures.request(
        .clipboard, from: sender, to: receiver, content: Content(characters: characters)))
  }

  @Test(
    arguments: [
      (Level.allApps, "clipboardAllApps", "clipboardAllApps", "clipboardAllApps"),
      (
        .managedAppsWithPasteIn, "clipboardPasteInToUnmanaged", "clipboardPasteIn",
        "clipboardPasteIn"
      ),
      (
        .managedApps, "clipboardManagedAppsToUnmanaged", "clipboardManagedAppsFromUnmanaged",
        "clipboardManagedApps"
      ),
      (.blocked, "clipboardBlocked", "clipboardBlocked", "clipboardBlocked"),
    ])
  func `each clipboard level cites its own rule for pasting out of, into and between apps`(
    level: Level, out: String, in: String, between: String
  ) {
    #expect(
      Self.paste(from: Self.managed(level), to: Self.unmanaged).words
        == ["\(out)(sender)", "unmanagedReceiver(receiver)"])
    #expect(
      Self.paste(from: Self.unmanaged, to: Self.managed(level)).words
        == ["unmanagedSender(sender)", "\(`in`)(receiver)"])
    #expect(
      Self.paste(from: Self.managed(level), to: Self.managed(level, app: "peer")).words
        == ["\(between)(sender)", "\(between)(receiver)"])
  }

  @Test(
    arguments: [
      (true, false, "managedOpenInRestriction"), (false, true, "unmanagedOpenInRestriction"),
      (true, true, nil), (false, false, nil),
    ] as [(Bool, Bool, String?)])
  func `a managed pasteboard applies the open-in restrictions in both directions and cites them`(
    isSenderMDMManaged: Bool, isReceiverMDMManaged: Bool, restriction: String?
  ) {
    for isRequired in [true, false] {
      let request = Fixtures.request(
        .clipboard, from: Fixtures.party("app", nil, isMDMManaged: isSenderMDMManaged),
        to: Fixtures.party("peer", nil, isMDMManaged: isReceiverMDMManaged),
        device: DeviceRestrictions(
          isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: false,
          allowOpenFromUnmanagedToManaged: false, requireManagedPasteboard: isRequired))
      let verdict = evaluate(request)
      let words =
        isRequired ? restriction.map { ["managedPasteboard(device)", "\($0)(device)"] } : nil
      #expect(
        verdict.words.filter { $0.hasSuffix("(device)") && $0 != "noRuleApplied(device)" } == words
          ?? [])
      #expect(verdict.outcome == (words == nil ? .allowed : .blocked))
    }
  }

  @Test(
    arguments: [
      (Level.allApps, true, true, true), (.managedAppsWithPasteIn, false, true, true),
      (.managedApps, false, false, true), (.blocked, false, false, false),
    ])
  func `the verdict on pasting out of, into or between managed apps follows the clipboard level`(
    level: Level, out: Bool, in: Bool, between: Bool
  ) {
    let managed = Self.managed(level)
    #expect((Self.paste(from: managed, to: Self.unmanaged).outcome == .allowed) == out)
    #expect((Self.paste(from: Self.unmanaged, to: managed).outcome == .allowed) == `in`)
    let peer = Self.managed(level, app: "peer")
    #expect((Self.paste(from: managed, to: peer).outcome == .allowed) == between)
  }

  @Test func `the verdict on a copy for other devices names Universal Clipboard`() {
    let devices = Fixtures.party("", nil)
    #expect(
      Self.paste(from: Self.managed(.managedApps), to: devices).words
        == [
          "clipboardManagedAppsToUnmanaged(sender)", "unmanagedReceiver(receiver)",
          "universalClipboard(device)",
        ])
    #expect(
      Self.paste(from: Self.unmanaged, to: devices).words.last == "universalClipboard(device)")
  }

  @Test func `a paste within one identity follows the policy of the data's owner`() {
    let anna = Self.managed(.managedApps)
    let request = Fixtures.request(
      .clipboard, from: Self.unmanaged, to: Self.unmanaged,
      owner: Owner(account: anna.identity.account, policy: anna.policy))
    #expect(
      evaluate(request).words
        == ["clipboardSameIdentity(sender)", "clipboardManagedAppsToUnmanaged(owner)"])
  }

  @Test func `a clipboard exception granted only by the owner's policy cites the owner`() {
    let owner = Owner(account: Fixtures.anna, policy: Fixtures.clipboard(.blocked, exception: 10))
    let request = Fixtures.request(
      .clipboard, from: Self.unmanaged, to: Fixtures.party("other", Fixtures.personal),
      owner: owner, content: Content(characters: 5))
    #expect(evaluate(request).words == ["clipboardException(owner)"])
  }

  @Test(arguments: [
    (Level.managedAppsWithPasteIn, "clipboardPasteIn"), (.managedApps, "clipboardManagedApps"),
  ])
  func `a paste between accounts of one tenant has the reason sameTenant`(
    level: Level, rule: String
  ) {
    let colleague = Fixtures.party("peer", Fixtures.bob, Fixtures.clipboard(.allApps))
    #expect(
      Self.paste(from: Self.managed(level), to: colleague).words
        == ["\(rule)(sender)", "sameTenant(sender)", "clipboardAllApps(receiver)"])
  }

  @Test func `the Send and Receive settings do not affect pasting`() {
    let policy = Fixtures.policy {
      $0.allowedOutboundDataTransferDestinations = .none
      $0.allowedInboundDataTransferSources = .none
    }
    let app = Fixtures.party("app", Fixtures.anna, policy)
    #expect(Self.paste(from: app, to: Self.unmanaged).outcome == .allowed)
    #expect(Self.paste(from: Self.unmanaged, to: app).outcome == .allowed)
  }

  @Test func `pasting within one app and identity is always allowed`() {
    let app = Self.managed(.blocked)
    let verdict = Self.paste(from: app, to: app)
    #expect(verdict.words == ["clipboardSameIdentity(sender)"])
    #expect(verdict.outcome == .allowed)
  }

  @Test func `no rule applies between unmanaged identities`() {
    let verdict = Self.paste(from: Fixtures.party("app", nil), to: Self.unmanaged)
    #expect(verdict.words == ["noRuleApplied(device)"])
  }

  @Test(arguments: [(5, true), (10, true), (11, false), (nil, false)] as [(Int?, Bool)])
  func `text within the length of the clipboard exception may be pasted anywhere`(
    characters: Int?, isAllowed: Bool
  ) {
    let sender = Self.managed(.blocked, exception: 10)
    let verdict = Self.paste(from: sender, to: Self.unmanaged, characters: characters)
    #expect((verdict.outcome == .allowed) == isAllowed)
    if isAllowed { #expect(verdict.words == ["clipboardException(sender)"]) }
  }

  @Test func `the sender's character exception takes precedence over the receiver's level`() {
    let receiver = Self.managed(.blocked, app: "peer")
    let sender = Self.managed(.blocked, exception: 10)
    #expect(Self.paste(from: sender, to: receiver, characters: 3).outcome == .allowed)
    #expect(Self.paste(from: Self.unmanaged, to: sender, characters: 3).outcome == .blocked)
  }

  @Test func `a character exception applies only if every sending policy grants it`() {
    let sender = Fixtures.party("app", Fixtures.bob, Fixtures.clipboard(.blocked, exception: 10))
    let owner = Owner(account: Fixtures.anna, policy: Fixtures.clipboard(.managedApps))
    let verdict = evaluate(
      Fixtures.request(
        .clipboard, from: sender, to: Self.unmanaged, owner: owner,
        content: Content(characters: 3)))
    #expect(
      verdict.words == [
        "clipboardManagedAppsToUnmanaged(owner)", "clipboardBlocked(sender)",
        "unmanagedReceiver(receiver)",
      ])
  }

  @Test
  func `accounts of the same tenant count as managed, and accounts of other tenants do not`() {
    let sender = Self.managed(.managedApps)
    let policy = Fixtures.clipboard(.managedApps)
    #expect(
      Self.paste(from: sender, to: Fixtures.party("peer", Fixtures.bob, policy)).words == [
        "clipboardManagedApps(sender)", "sameTenant(sender)", "clipboardManagedApps(receiver)",
        "sameTenant(receiver)",
      ])
    let stranger = Self.paste(from: sender, to: Fixtures.party("peer", Fixtures.carl, policy))
    #expect(
      stranger.words == [
        "clipboardManagedAppsToUnmanaged(sender)", "otherTenant(sender)",
        "clipboardManagedAppsFromUnmanaged(receiver)", "otherTenant(receiver)",
      ])
    #expect(stranger.deciding.rule == .clipboardManagedAppsToUnmanaged)
  }
}
