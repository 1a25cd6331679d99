import Enrollment
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// Tests the services for accounts, identities and access.
extension ServiceTests {
  @Test func `a single-identity app always acts for its signed-in account`() throws {
    let (lab, mail) = try Self.protectedMail()
    #expect(lab.device.accounts.accounts(signedInTo: "mail").map(\.upn) == [Self.anna.upn])
    #expect(mail.guest.party.isManaged && mail.guest.identity.accountID == Self.anna.upn)
    #expect(
      mail.ask(.switchIdentity(SwitchIdentity(account: nil)))?.reasons.first?.rule
        == "notMultiIdentity")
  }

  @Test(
    arguments: [
      ("anna", "Anna@Contoso.com", true), ("ANNA@contoso.com", "anna", true), ("", "", true),
      ("anna", "bert@example.org", false), ("bert@example.org", "anna", false), ("", "anna", false),
      ("anna", "", false), ("anna", nil, false), ("", nil, false),
    ] as [(String, String?, Bool)])
  func `a thread can switch the identity only to its own account, under any alias`(
    thread: String, account: String?, isAllowed: Bool
  ) throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail") {
      $0.integratesSDK = true
      $0.isMultiIdentity = true
    }
    for account in [Self.anna, Account(upn: "bert@example.org")] {
      try lab.device.accounts.presetSignIn(account, in: "mail")
    }
    let outcome = try #require(
      mail.ask(.switchIdentity(SwitchIdentity(account: account)), as: TaskContext(thread: thread)))
    #expect((outcome.verdict == .allowed) == isAllowed)
    #expect((outcome.reasons.first?.rule == "threadOfOtherAccount") == !isAllowed)
  }

  @Test func `the database stores accounts without a policy as not enrolled`() throws {
    let lab = try QuietLab(Self.protecting)
    _ = try lab.app("mail") {
      $0.integratesSDK = true
      $0.isMultiIdentity = true
    }
    for account in [Self.anna, Account(upn: "bert@example.org")] {
      try lab.device.accounts.presetSignIn(account, in: "mail")
    }
    let stored = try lab.device.storage.database.enrollment(of: "mail")
    #expect(stored.map(\.account.upn) == [Self.anna.upn, "bert@example.org"])
    #expect(stored.map(\.isEnrolled) == [true, false])
  }

  /// Sets a policy that requires a PIN, for Anna in some apps.
  private static func askingForPINs(
    of apps: [String], _ configuration: inout DeviceConfiguration
  ) {
    var settings = Settings()
    settings.pinRequired = true
    configuration.prompts = .asked
    configuration.policies = [
      PolicyAssignment(
        document: PolicyDocument(displayName: "pin", file: "pin.json", settings: settings),
        account: anna, apps: apps)
    ]
  }

  @Test
  func `start events of concurrently launched guests are recorded in the order of the launch`()
    throws
  {
    let lab = try QuietLab { Self.askingForPINs(of: ["com.example.a", "com.example.b"], &$0) }
    for name in ["a", "b"] {
      try lab.device.install(
        AppDescription(name: name, bundleID: "com.example.\(name)", integratesSDK: true))
      try lab.device.accounts.presetSignIn(Self.anna, in: name)
    }
    lab.device.guests.launch(["a", "b"]) {}
    for name in ["b", "a"] { lab.started(name).last?.sayHello() }
    let events = try lab.events.compactMap { event -> String? in
      if case .guestReady(let guest) = event { return "\(guest) is ready" }
      if case .accessChecked(let guest, _, _, _) = event { return "\(guest) is checked" }
      return nil
    }
    #expect(events == ["a is ready", "a is checked", "b is ready", "b is checked"])
  }

  @Test
  func `a locked guest is blocked until it sets a PIN, and the journal omits the PIN`()
    throws
  {
    let lab = try QuietLab { Self.askingForPINs(of: ["com.example.mail"], &$0) }
    let mail = try lab.managed("mail")
    #expect(mail.guest.isLocked)
    let viewer = try lab.app("viewer")
    for body: GuestMessage.Body in [
      .copy(Item(text: "x")), .sharing("x", with: "viewer"), .use(Use(channel: "print")),
    ] { #expect(mail.ask(body)?.verdict == .blocked) }
    #expect(try lab.decisions.map(\.verdict.deciding) == [.pinNotSet, .pinNotSet, .pinNotSet])
    #expect(viewer.deliveries.isEmpty)
    #expect(viewer.ask(.copy(Item(text: "others are served")))?.verdict == .allowed)
    mail.say(.unlock(Unlock(pin: "80258025", hasCredentials: true, setsPIN: true)))
    #expect(mail.ask(.unlock(Unlock(pin: "80258025")))?.verdict == .allowed)
    #expect(!mail.guest.isLocked)
    #expect(try !lab.journalText.contains("80258025"))
  }

  // MARK: Requests and their rows

  /// All requests of guests, each with the fields that it needs.
  private static func requests() throws -> [GuestMessage.Body] {
    let forms: [[String: FieldValue]] = [
      ["channel": .text("print")], [:], ["item": .part(["service": .text("s")])],
      ["item": .part(["inline": .text("x")])],
    ]
    return try GuestMessage.Body.requestNames.map { name in
      try #require(
        forms.lazy.compactMap { try? GuestMessage.Body(request: name, $0) }.first, "\(name)")
    }
  }

  /// Makes all requests with an operation, and expects the rule to refuse each of them.
  ///
  /// - Returns: The decisions.
  @discardableResult
  private func expectRefusals(
    of guest: MemoryGuest, in lab: QuietLab, by rule: Rule, _ operation: (MessageRow) -> Operation?
  ) throws -> [RequestDecision] {
    var refused: [Operation] = []
    let earlier = try lab.decisions.count
    for body in try Self.requests() {
      guard let operation = operation(body.row) else { continue }
      refused.append(operation)
      #expect(guest.ask(body)?.end == .refused, "\(operation)")
    }
    #expect(refused.count > 10)
    let decisions = try Array(lab.decisions.dropFirst(earlier))
    #expect(decisions.map(\.operation) == refused)
    #expect(decisions.map(\.verdict.deciding) == refused.map { _ in rule })
    return decisions
  }

  @Test func `a keyboard without full access is refused requests that reach other guests`() throws {
    let lab = try QuietLab()
    try lab.device.install(AppDescription(name: "mail", bundleID: "com.example.mail"))
    let board = try lab.app("board") { $0.kind = .extension(.keyboard, in: "com.example.mail") }
    try expectRefusals(of: board, in: lab, by: .keyboardWithoutFullAccess) { $0.reachingOperation }
  }

  @Test func `a locked guest may make only the requests that the message table exempts`() throws {
    let lab = try QuietLab { Self.askingForPINs(of: ["com.example.mail"], &$0) }
    let mail = try lab.managed("mail")
    try expectRefusals(of: mail, in: lab, by: .pinNotSet) { $0.lockedOperation }
  }

  @Test func `a blocked account's requests are refused like those of a locked guest`() throws {
    let (lab, mail) = try Self.protectedMail()
    mail.guest.accounts.blocked = [Self.anna]
    let decisions = try expectRefusals(of: mail, in: lab, by: .accountBlocked) {
      $0.lockedOperation
    }
    #expect(decisions.allSatisfy { $0.subject == Self.anna.upn })
  }

  @Test(arguments: [(29 * 60 + 59, 0), (1800, 1800), (1801, 1800), (3 * 86_400 + 1799, 3 * 86_400)])
  func `an active app checks in every 30 minutes`(passed: Int, last: Int) throws {
    let (lab, mail) = try Self.protectedMail()
    let start = lab.device.now
    let lastCheckIn = { lab.services.access.lastCheckIn(of: mail.guest.app, for: Self.anna) }
    #expect(lastCheckIn() == start)
    lab.device.advanceClock(by: passed)
    #expect(lastCheckIn() == start + last)
    let requests = try lab.events.count {
      if case .enrollmentAsked = $0 { true } else { false }
    }
    // The first value shows that the service answers. The last value represents the others.
    #expect(requests == min(2, last / 1800))
  }

  @Test(arguments: [true, false])
  func `an offline app does not check in`(isOnline: Bool) throws {
    let (lab, mail) = try Self.protectedMail()
    let start = lab.device.now
    lab.device.access.change { $0.isOnline = isOnline }
    lab.device.enrollment.changeService { $0.isReachable = !isOnline }
    lab.device.advanceClock(by: 90 * 86_400)
    #expect(lab.services.access.lastCheckIn(of: mail.guest.app, for: Self.anna) == start)
    lab.device.access.change { $0.isOnline = true }
    lab.device.enrollment.changeService { $0.isReachable = true }
    // This is the longest interval between two retries.
    lab.device.advanceClock(by: 3600)
    let last = try #require(lab.services.access.lastCheckIn(of: mail.guest.app, for: Self.anna))
    #expect(last > start + 90 * 86_400)
  }

  @Test func `an app without the SDK does not check in`() throws {
    let lab = try QuietLab()
    _ = try lab.app("viewer")
    #expect(throws: HostError.self) { try lab.device.enrollment.checkIn(Self.anna, in: "viewer") }
  }

  @Test func `policies can be assigned and withdrawn while an app runs`() throws {
    let (lab, mail) = try Self.protectedMail()
    let entries = lab.services.policies.entries(for: Self.anna, in: mail.guest.app)
    #expect(entries.map(\.text) == ["org, targeted by the scenario"])
    #expect(lab.services.policies.merging(entries) === lab.services.policies.merging(entries))
    lab.device.enrollment.assign([], to: Self.anna)
    #expect(!mail.guest.party.isManaged)
    #expect(lab.services.policies.entries(for: Self.anna, in: mail.guest.app).isEmpty)
    #expect(mail.heard.contains { $0.body == .notice("policyDidChange", account: Self.anna.upn) })
  }

  @Test func `the directory renames accounts by object id`() throws {
    let directory = AccountDirectory(
      [Self.anna], knownAs: [Account(upn: "ann@contoso.com", objectID: "anna", tenantID: "contoso")]
    )
    #expect(directory.accounts.map(\.upn) == ["ann@contoso.com"])
    #expect(directory.current(Self.anna).upn == "ann@contoso.com")
    #expect(directory.account(named: "bert@example.org").objectID == nil)
    let (lab, mail) = try Self.protectedMail()
    try lab.device.enrollment.rename(Self.anna, to: "anna.b@contoso.com")
    #expect(mail.guest.identity.accountID == "anna.b@contoso.com")
    #expect(throws: HostError.self) {
      try lab.device.enrollment.rename(Account(upn: "bert@example.org"), to: "b@example.org")
    }
  }

  @Test
  func `a renamed account gets no data that a guest stored under the new name`()
    throws
  {
    let folder = try Workspace()
    let new = "anna.mueller@contoso.com"
    let file = FileReference("f")
    let adjust: (inout DeviceConfiguration) -> Void = { configuration in
      Self.protecting(&configuration)
      configuration.folder = folder.path("device")
    }
    let renamed = Account(upn: new, objectID: Self.anna.objectID)
    let scope = Folders.scope(ofContainer: "evil")
    do {
      let lab = try QuietLab(adjust)
      _ = try lab.managed("mail")
      let evil = try lab.app("evil") { $0.integratesSDK = true }
      #expect(
        evil.ask(.openFile(OpenFile(file, mode: .creating, owner: new.uppercased())))?.verdict
          == .allowed)
      evil.say(.signIn(account: new))
      try lab.device.enrollment.rename(Self.anna, to: new)
      #expect(lab.device.accounts.accounts(signedInTo: "mail").map(\.upn) == [new])
      let database = lab.device.storage.database
      #expect(try database.files(ownedBy: renamed, scopes: [scope]).isEmpty)
      #expect(try database.apps(signedInTo: renamed) == ["mail"])
      #expect(!evil.guest.accounts.signedIn.contains { $0.account.isSameUser(as: renamed) })
      // Anna signs in there and out again, but she never owned the file.
      evil.say(.signIn(account: new))
      #expect(evil.guest.accounts.signedIn.count { $0.account.isSameUser(as: renamed) } == 1)
      let out = evil.say(.signOut(account: "anna"))
      lab.wait("the sign-out") { evil.outcome(of: out) != nil }
      #expect(lab.device.files.contents(ofFile: "f", in: "evil") != nil)
    }
    // The result is the same after a device restart.
    let lab = try QuietLab(adjust)
    let evil = try lab.app("evil") { $0.integratesSDK = true }
    #expect(try lab.device.storage.database.apps(signedInTo: renamed) == ["mail"])
    #expect(evil.guest.accounts.signedIn.count == 1)
    #expect(!evil.guest.accounts.signedIn.contains { $0.account.isSameUser(as: renamed) })
  }

  @Test func `a renamed account keeps its licence state and stays disabled`() throws {
    let (lab, mail) = try Self.protectedMail()
    let enrollment = lab.device.enrollment
    enrollment.changeService {
      $0[Self.anna].isLicensed = false
      $0.deviceAccount = Self.anna.objectID
    }
    lab.device.access.set(Self.anna, isDisabled: true)
    try enrollment.rename(Self.anna, to: "anna.b@contoso.com")
    let anna = lab.services.directory.current(Self.anna)
    #expect(!enrollment.service[anna].isLicensed)
    #expect(lab.services.access.isDisabled(anna))
    try enrollment.checkIn(anna, in: "mail")
    #expect(enrollment.view(of: anna, in: "mail")?.status == .accountNotLicensed)
    // Another account may now have the name.
    let successor = Account(upn: Self.anna.upn)
    #expect(enrollment.service[successor].isLicensed)
    #expect(!lab.services.access.isDisabled(successor))
    _ = mail
  }

  @Test func `assignments made offline apply once the device is online`() throws {
    let (lab, mail) = try Self.protectedMail()
    let notes = try lab.app("notes") { $0.integratesSDK = true }
    try lab.device.accounts.presetSignIn(Self.anna, in: "notes")
    let relaxed = PolicyDocument(displayName: "relaxed", file: "relaxed.json", settings: Settings())
    let assignments = ["com.example.mail", "com.example.notes"].map {
      PolicyAssignment(document: relaxed, account: Self.anna, apps: [$0])
    }
    let before = mail.guest.accounts.policy(of: Self.anna)
    lab.device.access.change { $0.isOnline = false }
    lab.device.enrollment.assign(assignments, to: Self.anna)
    #expect(mail.guest.accounts.policy(of: Self.anna) === before)
    #expect(notes.guest.accounts.policy(of: Self.anna) == nil)
    lab.device.enrollment.changeService { $0.isReachable = false }
    lab.device.access.change { $0.isOnline = true }
    #expect(mail.guest.accounts.policy(of: Self.anna) === before, "the service is unreachable")
    lab.device.enrollment.changeService { $0.isReachable = true }
    let entries = lab.services.policies.entries(for: Self.anna, in: mail.guest.app)
    #expect(entries.map(\.document.displayName) == ["relaxed"])
    #expect(mail.guest.accounts.policy(of: Self.anna) === lab.services.policies.merging(entries))
    #expect(notes.guest.accounts.policy(of: Self.anna) != nil)
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `an allowed-accounts restriction applies only to managed apps on enrolled devices`(
    isEnrolled: Bool, isManaged: Bool
  ) throws {
    let lab = try QuietLab { $0.state.isMDMEnrolled = isEnrolled }
    let mail = try lab.app("mail") {
      $0.integratesSDK = true
      $0.isMDMManaged = isManaged
      $0.configuration = [
        "IntuneMAMAllowedAccountsOnly": "Enabled", "IntuneMAMUPN": Self.anna.upn,
      ]
    }
    let rules = try #require(mail.ask(.signIn(account: "bert@example.org"))).reasons.map(\.rule)
    #expect(rules.contains("accountNotAllowed") == (isEnrolled && isManaged))
    #expect(rules.contains("noAccountRestriction") == !(isEnrolled && isManaged))
  }

  // MARK: Owners of data

  /// Returns data that Anna has protected in the app `mail`, and that app.
  private func protected(_ lab: QuietLab) throws -> (header: [UInt8], mail: MemoryGuest) {
    let mail = try lab.managed("mail")
    let grant = try #require(mail.ask(.protectData(account: Self.anna.upn))?.file)
    #expect(grant.key.count == 32)
    return (grant.header, mail)
  }

  private func key(
    of header: [UInt8], _ guest: MemoryGuest
  ) -> (rule: String?, isThere: Bool) {
    let outcome = guest.ask(.unprotectData(header: header))
    return (outcome?.reasons.first?.rule, outcome?.file?.key.isEmpty == false)
  }

  @Test func `signing in with a renamed account's former name gives no access to its data`() throws
  {
    let lab = try QuietLab(Self.protecting)
    let (header, mail) = try protected(lab)
    let notes = try lab.app("notes") { $0.integratesSDK = true }
    try lab.device.enrollment.rename(Self.anna, to: "anna.b@contoso.com")
    #expect(notes.ask(.signIn(account: Self.anna.upn))?.end == .delivered)
    #expect(notes.guest.identity.accountID == Self.anna.upn)
    #expect(key(of: header, notes) == ("fileOwnerNotSignedIn", false))
    #expect(key(of: header, mail) == ("fileOfIdentity", true), "the owner under another name")
  }

  @Test func `an app without the SDK gets no key by naming the owner`() throws {
    let lab = try QuietLab(Self.protecting)
    let (header, _) = try protected(lab)
    let (plain, linked) = (
      try lab.app("plain"), try lab.app("linked") { $0.integratesSDK = true }
    )
    for app in [plain, linked] {
      #expect(key(of: header, app) == ("fileOwnerNotSignedIn", false))
      app.say(.signIn(account: Self.anna.upn))
    }
    #expect(key(of: header, plain) == ("appWithoutSDK", false))
    #expect(key(of: header, linked) == ("fileOfIdentity", true))
  }

  @Test func `a blocked account's protected data is not opened`() throws {
    let lab = try QuietLab(Self.protecting)
    let (header, mail) = try protected(lab)
    mail.guest.accounts.blocked = [Self.anna]
    #expect(key(of: header, mail) == ("accountBlocked", false))
  }

  @Test func `an account blocked during an import receives nothing`() throws {
    let lab = try QuietLab(Self.protecting)
    let (_, mail) = try protected(lab)
    let source = try lab.app("source")
    let request = mail.say(.import(source: "source", via: .sdk))
    guard case .provideItem(let ask, _)? = source.heard.last?.body else {
      Issue.record("the source was not asked")
      return
    }
    mail.guest.accounts.blocked = [Self.anna]
    source.say(.provided(ask: ask, Item(text: "figures")), isRequest: false)
    let outcome = try #require(mail.outcome(of: request))
    #expect(outcome.items.isEmpty)
    #expect(outcome.reasons.map(\.rule) == ["accountBlocked"])
  }

  @Test func `an item keeps its owner after another account takes the name`() throws {
    let (lab, mail) = try Self.protectedMail()
    _ = try lab.app("notes")
    mail.say(.copy(Item(text: "figures")))
    let item = try #require(mail.ask(.paste)?.items.first)
    #expect(item.tag?.ownerUPN == Self.anna.upn)
    try lab.device.enrollment.rename(Self.anna, to: "anna.b@contoso.com")
    let out = mail.say(.signOut(account: "anna.b@contoso.com"))
    lab.wait("the sign-out") { mail.outcome(of: out) != nil }
    mail.say(.signIn(account: Self.anna.upn))
    #expect(
      mail.ask(.share(Share(destination: "notes", item: item)))?.reasons.first?.rule
        == "ownerNotSignedIn")
  }

  @Test func `an account with a reused name does not own the former account's data`() {
    let names = AccountDirectory(
      [Account(upn: "anna.b@contoso.com", objectID: "anna", tenantID: "contoso")], knownAs: []
    ).names
    let usurper = Account(upn: Self.anna.upn)
    #expect(!names.isOwner(usurper, of: Self.anna))
    #expect(names.isOwner(usurper, of: usurper))
    #expect(names.isOwner(Account(upn: "anna.b@contoso.com", objectID: "ANNA"), of: Self.anna))
  }
}
