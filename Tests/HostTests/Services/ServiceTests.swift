import Declarations
import EventLoop
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// Tests each service of a device with guests in memory. No process is started.
@Suite(.timeLimit(.minutes(15))) struct ServiceTests {
  static let anna = QuietLab.anna

  /// Sets a policy that keeps org data in managed apps, for Anna in `com.example.mail`.
  static func protecting(_ configuration: inout DeviceConfiguration) {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
    configuration.policies = [
      PolicyAssignment(
        document: PolicyDocument(displayName: "org", file: "org.json", settings: settings),
        account: anna, apps: ["com.example.mail"])
    ]
  }

  /// Returns a device with the app `mail`.
  static func mail() throws -> (lab: QuietLab, mail: MemoryGuest) {
    let lab = try QuietLab()
    return (lab, try lab.app("mail"))
  }

  static func mailAndNotes() throws -> (lab: QuietLab, mail: MemoryGuest, notes: MemoryGuest) {
    let (lab, mail) = try Self.mail()
    return (lab, mail, try lab.app("notes"))
  }

  /// Returns a device with that policy and the app `mail`, in which Anna is signed in.
  static func protectedMail() throws -> (lab: QuietLab, mail: MemoryGuest) {
    let lab = try QuietLab(protecting)
    return (lab, try lab.managed("mail"))
  }

  // MARK: Guests

  @Test func `the registry finds guests by name and bundle id, in order of installation`() throws {
    let lab = try QuietLab()
    for name in ["b", "a"] {
      try lab.device.install(AppDescription(name: name, bundleID: "com.example.both"))
    }
    let registry = lab.services.registry
    #expect(registry.installed.map(\.name) == ["b", "a"])
    #expect(registry.guest(ofBundle: "com.example.both")?.name == "b")
    #expect(registry.guest(named: "a")?.name == "a")
    #expect(registry.guest(named: "com.example.both")?.name == "b")
    #expect(throws: HostError.self) { try registry.find("c") }
  }

  @Test func `an app with unreadable interrupted wipes is not installed`() throws {
    let lab = try QuietLab()
    let database = lab.device.storage.database
    let app = AppDescription(name: "mail", bundleID: "com.example.mail")
    try database.access { try $0.run("ALTER TABLE signIn RENAME COLUMN wiping TO leaving") }
    #expect(throws: HostError.self) { try lab.device.install(app) }
    #expect(lab.services.registry.installed.isEmpty)
    try database.access { try $0.run("ALTER TABLE signIn RENAME COLUMN leaving TO wiping") }
    try lab.device.install(app)
    #expect(lab.services.registry.installed.map(\.name) == ["mail"])
  }

  @Test func `if the disk is full at the end of the set-up, the device stops without its changes`()
    throws
  {
    let lab = try QuietLab()
    let database = lab.device.storage.database
    let error = database.failingCommits {
      #expect(throws: HostError.self) {
        try lab.device.setUp {
          do {
            try lab.device.install(AppDescription(name: "mail", bundleID: "com.example.mail"))
            try lab.device.accounts.presetSignIn(Self.anna, in: "mail")
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    #expect(error?.code == .storage)
    #expect(error?.description.hasPrefix("no space is left for the device's database") == true)
    #expect(lab.device.error?.description == error?.description)
    #expect(try database.accounts(of: "mail").isEmpty)
  }

  @Test func `an extension belongs to its app, and each instance has its own name`() throws {
    let lab = try QuietLab()
    try lab.device.install(AppDescription(name: "app", bundleID: "com.example.app"))
    var action = AppDescription(name: "act", bundleID: "com.example.app.act")
    action.kind = .extension(.share, in: "com.example.app")
    try lab.device.install(action)
    let registry = lab.services.registry
    let app = try registry.find("app")
    let act = try registry.find("act")
    #expect(registry.app(of: act) === app)
    #expect(registry.app(of: app) === app)
    #expect(registry.members(of: app).map(\.name) == ["app", "act"])
    #expect((1...2).map { _ in "\(registry.nextInstance(of: act))" } == ["act#1", "act#2"])
    registry.removeInstance(act)
    #expect(registry["act"] != nil, "installed apps stay")
  }

  @Test func `a prepared extension run reports once that it was replaced or cancelled`() throws {
    let lab = try QuietLab()
    try lab.device.install(
      AppDescription(
        name: "act", bundleID: "com.example.act", kind: .extension(.share, in: "com.example.app"),
        program: .executable(path: "/usr/bin/true", arguments: [])))
    let driver = lab.device.driver
    var answers: [String] = []
    for name in ["first", "second"] {
      try driver.prepareRun(
        of: "act", startedBy: "mail", [.tap(button: "OK", title: nil)],
        acted: { _, _ in answers.append("\(name) acted") }, notBegun: { answers.append(name) })
    }
    #expect(answers == ["first"])
    driver.forgetRun(of: "act", startedBy: "mail")
    driver.forgetRun(of: "act", startedBy: "mail")
    #expect(answers == ["first", "second"])
  }

  @Test func `a guest is ready after its handshake, and exits on request`() throws {
    let (lab, mail) = try Self.mail()
    #expect(mail.guest.isReady)
    guard case .welcome(let welcome) = mail.heard.first?.body else {
      Issue.record("it was not welcomed")
      return
    }
    #expect(welcome.guest == "mail" && welcome.app == "com.example.mail")
    var isDone = false
    lab.device.guests.stop(["mail"]) { isDone = true }
    mail.settle()
    #expect(isDone && !mail.guest.isRunning && mail.isClosing)
    #expect(lab.device.guests.exitCause(of: "mail") == .stopped)
  }

  @Test func `a guest's messages that arrive before its deadline are accepted, even if read later`()
    throws
  {
    let lab = try QuietLab()
    let mail = try lab.app("mail", saysHello: false)
    mail.isUnheard = true
    mail.sayHello()
    lab.device.loop.advance(by: 60_000)
    #expect(mail.guest.isReady)
    let mute = try lab.app("mute", saysHello: false)
    lab.device.loop.advance(by: 10_000)
    mute.settle()
    #expect(lab.device.guests.exitCause(of: "mute") == .unresponsive(doing: "shaking hands"))
    let sender = try lab.app("sender")
    let request = sender.say(.sharing("x", with: "mail"))
    mail.say(.acknowledge(through: 1), isRequest: false)
    lab.device.loop.advance(by: 60_000)
    #expect(sender.outcome(of: request)?.end == .delivered && mail.guest.isReady)
  }

  @Test
  func `another protocol version is rejected, and a replayed request number terminates the guest`()
    throws
  {
    let lab = try QuietLab()
    let old = try lab.app("old", saysHello: false)
    old.say(.hello(Hello(transport: 99)), isRequest: false)
    #expect(old.heard.contains { if case .rejected = $0.body { true } else { false } })
    #expect(!old.guest.isReady)
    let mail = try lab.app("mail")
    mail.say(.paste)
    mail.repeatLastNumber()
    mail.say(.paste)
    #expect(lab.violation(of: mail)?.contains("a replay") == true)
  }

  @Test func `request messages need a request number, and other messages must not have one`() throws
  {
    let lab = try QuietLab()
    for (index, body) in MessageSamples.guest.enumerated() {
      // An acknowledgement is read before its number.
      if case .acknowledge = body { continue }
      let guest = try lab.app("app-\(index)")
      guest.say(body, isRequest: !body.row.isRequest)
      #expect(
        lab.violation(of: guest)
          == (body.row.isRequest
            ? "a request without a number" : "a message that is not a request has a request number")
      )
    }
  }

  // MARK: Transaction, audit log, durability

  @Test func `messages of a transaction are sent only after the journal is written`() throws {
    let (lab, mail) = try Self.mail()
    func journal() -> String {
      (try? String(contentsOfFile: lab.device.journalPath, encoding: .utf8)) ?? ""
    }
    var isFirst: Bool?
    mail.onWrite = { isFirst = journal().contains("account.renamed") }
    lab.device.guests.transaction {
      lab.services.audit.record(.accountRenamed(account: "a", to: "b"))
      lab.device.guests.transaction.send(HostMessage(.clockAdvanced(time: 1)), to: mail.guest)
      #expect(!journal().contains("account.renamed"))
      #expect(isFirst == nil, "nothing is sent within the transaction")
    }
    #expect(isFirst == true)
    mail.onWrite = {}
  }

  @Test func `the first storage error stops the device, and no message is sent afterwards`() throws
  {
    let (lab, mail) = try Self.mail()
    let heard = mail.heard.count
    lab.device.guests.transaction {
      lab.device.storage.durability.fail(HostError(.storage, "the first"))
      lab.device.storage.durability.fail(HostError(.storage, "the second"))
      lab.device.guests.transaction.send(HostMessage(.clockAdvanced(time: 1)), to: mail.guest)
    }
    mail.settle()
    #expect(lab.device.error?.description == "the first")
    #expect(mail.heard.count == heard && !mail.guest.isRunning)
    var wasCalled = false
    lab.device.storage.durability.persist { () throws(HostError) in wasCalled = true }
    #expect(!wasCalled)
  }

  @Test func `each request has one decision and one end, reported to observers`() throws {
    let (lab, mail) = try Self.mail()
    var decided: [Int] = []
    var ended: [Int] = []
    lab.device.observer = DeviceObserver(
      onDecision: { _, decision in decided.append(decision.request) },
      onEnd: { request, _, _ in ended.append(request) })
    for body: GuestMessage.Body in [.paste, .copy(Item(text: "x")), .paste] { mail.say(body) }
    #expect(decided == [1, 2, 3] && ended == [1, 2, 3])
  }

  // MARK: Replies and flow control

  @Test func `if a guest stops reading, only its own senders are paused`() throws {
    let lab = try QuietLab { $0.limits.backlog = 1000 }
    let (a, b, deaf) = (try lab.app("a"), try lab.app("b"), try lab.app("deaf"))
    deaf.isDeaf = true
    a.say(.sharing(String(repeating: "x", count: 600), with: "deaf"))
    a.say(.sharing(String(repeating: "x", count: 600), with: "deaf"))
    #expect(deaf.guest.isOverloaded && !a.isReading && b.isReading)
    let request = b.say(.sharing("to itself", with: "b"))
    #expect(b.outcome(of: request)?.end == nil, "the receiver has not acknowledged the item")
    b.say(.acknowledge(through: 1), isRequest: false)
    #expect(b.outcome(of: request)?.end == .delivered)
    deaf.listen()
    deaf.say(.acknowledge(through: 2), isRequest: false)
    #expect(!deaf.guest.isOverloaded && a.isReading)
  }

  // MARK: Deliveries

  @Test func `items that a guest has not acknowledged before its exit are undeliverable`() throws {
    let (lab, mail, notes) = try Self.mailAndNotes()
    let first = mail.say(.sharing("1", with: "notes"))
    let second = mail.say(.sharing("2", with: "notes"))
    #expect(notes.deliveries.map(\.item.text) == ["1", "2"])
    #expect(notes.deliveries.allSatisfy { $0.sender == "com.example.mail" })
    notes.say(.acknowledge(through: 1), isRequest: false)
    #expect(mail.outcome(of: first)?.end == .delivered)
    #expect(mail.outcome(of: second) == nil)
    lab.device.guests.kill(["notes"]) {}
    notes.settle()
    #expect(mail.outcome(of: second)?.end == .undeliverable)
  }

  @Test func `a stopped app is started for an item, and receives it when ready`() throws {
    let (lab, mail) = try Self.mail()
    try lab.device.install(AppDescription(name: "late", bundleID: "com.example.late"))
    mail.say(.sharing("early", with: "late"))
    let late = try #require(lab.started("late").last)
    #expect(late.deliveries.isEmpty)
    late.sayHello()
    #expect(late.deliveries.map(\.item.text) == ["early"])
  }

  @Test func `a guest that acknowledges more than it was sent is terminated`() throws {
    let (lab, mail) = try Self.mail()
    mail.say(.acknowledge(through: 1), isRequest: false)
    #expect(!mail.guest.isRunning && lab.violation(of: mail) != nil)
  }

  // MARK: Transfers and tags

  @Test func `org data stays in managed apps, and a forged tag is blocked`() throws {
    let (lab, mail) = try Self.protectedMail()
    let viewer = try lab.app("viewer")
    #expect(
      mail.ask(.sharing("figures", with: "viewer"))?.verdict == .blocked
        && viewer.deliveries.isEmpty)
    let item = lab.device.sealed(Item(text: "figures"), of: Self.anna, from: "com.example.mail")
    #expect(item.tag?.isManaged == true)
    var forged = item
    forged.tag?.isManaged = false
    #expect(
      viewer.ask(.share(Share(destination: "mail", item: forged)))?.reasons.first?.rule
        == "tagSealBroken")
    #expect(mail.deliveries.isEmpty)
  }

  @Test func `pasteboard content belongs to its owner, and is removed with the account`() throws {
    let (lab, mail) = try Self.protectedMail()
    let viewer = try lab.app("viewer")
    mail.say(.copy(Item(text: "figures")))
    #expect(viewer.ask(.paste)?.verdict == .blocked)
    #expect(mail.ask(.paste)?.items.first?.text == "figures")
    mail.say(.signOut(account: Self.anna.upn))
    lab.wait("the sign-out") { !lab.device.wipes.isWiping }
    #expect(mail.ask(.paste)?.reasons.first?.rule == "pasteboardEmpty")
  }

  @Test func `the clipboard exception uses the character count that is stored when text is copied`()
    throws
  {
    let lab = try QuietLab { configuration in
      Self.protecting(&configuration)
      let policy = configuration.policies[0]
      var settings = policy.document.settings
      settings.allowedOutboundClipboardSharingExceptionLength = 7
      configuration.policies[0].document = PolicyDocument(
        displayName: "org", file: "org.json", settings: settings)
    }
    let (mail, viewer) = (try lab.managed("mail"), try lab.app("viewer"))
    func verdict() -> Outcome? { viewer.outcome(of: viewer.say(.paste))?.verdict }
    mail.say(.copy(Item(text: "figures")))
    #expect(verdict() == .allowed)
    mail.say(.copy(Item(text: "figures!")))
    #expect(verdict() == .blocked)
    let pasteboard = lab.services.transfers.pasteboard
    var content = try #require(pasteboard.content)
    #expect(content.characters == 8)
    content.characters = 7
    pasteboard.copy(content)
    #expect(verdict() == .allowed, "the number is that of the copy")
    mail.say(.copy(Item(type: "public.data", payload: .inline([0x66, 0xFF]))))
    #expect(pasteboard.content?.characters == nil)
    #expect(verdict() == .blocked, "texts of every length are blocked")
  }

  @Test
  func `a repeated share reuses the last decision until decisions are invalidated`()
    throws
  {
    let lab = try QuietLab()
    let (mail, _) = (try lab.app("mail"), try lab.app("notes"))
    mail.say(.sharing("1", with: "notes"))
    let lastDecision = try #require(mail.guest.mailbox.lastDecision)
    mail.say(.sharing("2", with: "notes"))
    #expect(mail.guest.mailbox.lastDecision?.decision === lastDecision.decision)
    lab.services.policies.invalidateRulings()
    mail.say(.sharing("3", with: "notes"))
    #expect(mail.guest.mailbox.lastDecision?.decision !== lastDecision.decision)
  }

  // MARK: Files, keychain, wipes

  @Test func `a new file belongs to the app's account and is removed with the account`() throws {
    let (lab, mail) = try Self.protectedMail()
    let file = FileReference("figures.txt")
    #expect(mail.ask(.openFile(OpenFile(file, mode: .creating)))?.file?.ownerUPN == Self.anna.upn)
    #expect(
      mail.ask(.openFile(OpenFile(FileReference("../other/figures.txt"), mode: .reading)))?.reasons
        .first?.rule == "fileOutsideContainer")
    let path = lab.device.containerPath(of: "mail") + "/figures.txt"
    #expect(FileManager.default.fileExists(atPath: path))
    try lab.device.wipes.wipe(Self.anna, in: "mail") {}
    mail.answerWipe()
    lab.wait("the wipe") { !lab.device.wipes.isWiping }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(lab.device.accounts.accounts(signedInTo: "mail").isEmpty)
    #expect(
      try lab.events.contains(.accountWiped(app: "com.example.mail", account: Self.anna.upn)))
  }

  @Test func `file owners who are not signed in are listed as unknown, also after a restart`()
    throws
  {
    let workspace = try Workspace()
    let open = { try QuietLab { $0.folder = workspace.path("device") } }
    do {
      let lab = try open()
      let mail = try lab.app("mail") { $0.integratesSDK = true }
      try lab.device.accounts.presetSignIn(Account(upn: "bert@example.org"), in: "mail")
      for owner in ["bert@example.org", "carl@example.org"] {
        mail.say(.openFile(OpenFile(FileReference(owner), mode: .creating, owner: owner)))
      }
      #expect(lab.services.files.unknownOwners == ["carl@example.org"])
    }
    #expect(try open().services.files.unknownOwners == ["carl@example.org"])
  }

  @Test func `adding a second keychain item with the same key is an error`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    let key = KeychainKey(service: "s", account: "a")
    #expect(mail.ask(.keychainQuery(key))?.status == -25300)
    mail.say(.keychainAdd(key, value: [1]))
    #expect(mail.ask(.keychainAdd(key, value: [2]))?.status == -25299)
    #expect(mail.ask(.keychainQuery(key))?.items.first?.payload == .inline([1]))
  }

  @Test func `the number and total size of an app's keychain items are limited`() throws {
    let lab = try QuietLab {
      $0.limits.keychain.valueBytes = 100
      $0.limits.keychain.items = 4
      $0.limits.keychain.bytes = 320
    }
    let (mail, other) = (try lab.app("mail"), try lab.app("other"))
    let add = { (name: String, count: Int, guest: MemoryGuest) in
      return guest.ask(
        .keychainAdd(
          KeychainKey(service: "s", account: name), value: [UInt8](repeating: 1, count: count)))?
        .status
    }
    #expect(add("a", 101, mail) == -25302, "a value that is too large")
    #expect(["a", "b", "c"].map { add($0, 100, mail) } == [0, 0, 0])
    #expect(add("d", 100, mail) == -34, "more bytes than may be")
    #expect(add("d", 1, mail) == 0)
    #expect(add("e", 0, mail) == -34, "more items than may be")
    #expect(add("a", 100, mail) == -25299, "an item that is there")
    #expect(add("e", 100, other) == 0, "another app has its own limits")
    #expect(mail.ask(.keychainDelete(KeychainKey(service: "s", account: "a")))?.status == 0)
    #expect(add("e", 0, mail) == 0)
  }

  @Test func `the number of accounts in an app is limited`() throws {
    let lab = try QuietLab { $0.limits.accounts = 2 }
    let mail = try lab.app("mail") { $0.integratesSDK = true }
    let ends = ["a", "b", "c", "a"].map { name in
      mail.outcome(of: mail.say(.signIn(account: "\(name)@example.org")))?.end
    }
    #expect(ends == [.delivered, .delivered, .failed, .delivered])
    #expect(mail.ask(.enroll(Enroll(account: "d@example.org")))?.end == .failed)
    let out = mail.say(.signOut(account: "a@example.org"))
    lab.wait("the sign-out") { mail.outcome(of: out) != nil }
    #expect(mail.ask(.signIn(account: "c@example.org"))?.end == .delivered)
  }

  // MARK: Extensions, configurations, enrollment, tokens, management

  @Test func `an extension starts for a request and ends when the request completes`() throws {
    let (lab, mail) = try Self.mail()
    var action = AppDescription(name: "act", bundleID: "com.example.app.act")
    action.kind = .extension(.share, in: "com.example.app")
    try lab.device.install(AppDescription(name: "app", bundleID: "com.example.app"))
    try lab.device.install(action)
    let request = mail.say(.sharing("x", with: "act"))
    let run = try #require(lab.started("act#1").last)
    run.sayHello()
    #expect(run.heard.contains { if case .extensionRequest = $0.body { true } else { false } })
    run.say(.completeExtension([]))
    #expect(mail.outcome(of: request)?.end == .delivered)
    run.settle()
    #expect(lab.services.registry["act#1"] == nil && !lab.device.guests.isRunningExtensions)
  }

  @Test func `an account that a new MDM configuration does not allow is wiped`() throws {
    let lab = try QuietLab { $0.state.isMDMEnrolled = true }
    let mail = try lab.app("mail") {
      $0.integratesSDK = true
      $0.isMDMManaged = true
    }
    try lab.device.accounts.presetSignIn(Self.anna, in: "mail")
    try lab.device.enrollment.configure(
      "mail", ["IntuneMAMAllowedAccountsOnly": "Enabled", "IntuneMAMUPN": "bert@contoso.com"])
    mail.answerWipe()
    lab.wait("the wipe") { !lab.device.wipes.isWiping }
    #expect(lab.device.accounts.accounts(signedInTo: "mail").isEmpty)
    let posted = #""notification":"allowedAccountsDidChange""#
    #expect(try lab.journalText.components(separatedBy: posted).count == 2)
  }

  @Test func `a disabled account gets no token, and the journal contains no token`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail") { $0.integratesSDK = true }
    let request = AcquireToken(account: Self.anna.upn, resource: "https://graph.microsoft.com")
    let tokens = mail.ask(.acquireToken(request))?.items.compactMap(\.text) ?? []
    #expect(tokens.count == 1)
    let (parts, journal) = (tokens[0].split(separator: "."), try lab.journalText)
    #expect(parts.count == 3)
    for part in parts { #expect(!journal.contains(part), "no part of a token is in the journal") }
    lab.device.access.set(Self.anna, isDisabled: true)
    #expect(mail.ask(.acquireToken(request))?.verdict == .blocked)
  }

  @Test func `only an enrolled device accepts declarations and reports its status`() throws {
    for isEnrolled in [false, true] {
      let lab = try QuietLab { $0.state.isMDMEnrolled = isEnrolled }
      let outcome = Result { try lab.device.management.apply(DeclarationSet()) }
      #expect(((try? outcome.get()) != nil) == isEnrolled)
      #expect((lab.device.management.statusReport != nil) == isEnrolled)
    }
  }

  @Test func `the idle watch reports an unacknowledged item until it is acknowledged`() throws {
    let (lab, mail, notes) = try Self.mailAndNotes()
    mail.say(.sharing("x", with: "notes"))
    #expect(lab.device.idleWatch.activity == "`notes` has not acknowledged an item")
    notes.say(.acknowledge(through: 1), isRequest: false)
    lab.device.guests.suspend("mail")
    #expect(lab.device.idleWatch.activity != "`notes` has not acknowledged an item")
  }
}

/// Tests the disk watch, with guests in memory and real files.
extension ServiceTests {
  private static func bounding(_ configuration: inout DeviceConfiguration) {
    configuration.limits.disk.containerBytes = 1 << 20
    configuration.limits.disk.containerFiles = 100
  }

  private static func write(_ bytes: Int, to name: String, of guest: MemoryGuest) throws {
    try Data(repeating: 1, count: bytes).write(
      to: URL(fileURLWithPath: "\(guest.guest.container)/\(name)"))
  }

  /// Simulates the passage of time until the watch has found this usage of the guest's container.
  private static func wait(
    _ lab: QuietLab, until guest: MemoryGuest, _ condition: (DiskUsage) -> Bool
  ) {
    lab.wait("the watch has looked") {
      lab.device.loop.advance(by: DiskWatch.tick)
      return lab.services.disk.usage(of: "Containers/\(guest.guest.name)").map(condition) ?? false
    }
  }

  /// Makes the guest create a file itself, and declare the file's owner.
  private static func begin(_ name: String, of guest: MemoryGuest) throws -> RequestOutcome? {
    try write(1, to: name, of: guest)
    let file = OpenFile(FileReference(name), mode: .truncating, owner: "x@nobody.example")
    return guest.ask(.openFile(file))
  }

  private static func remove(_ name: String, of guest: MemoryGuest) throws {
    try FileManager.default.removeItem(atPath: "\(guest.guest.container)/\(name)")
  }

  @Test func `owners of unlinked files are forgotten, so the owner limit is not exceeded`() throws {
    let lab = try QuietLab(Self.bounding)
    let (mail, database) = (try lab.app("mail"), lab.device.storage.database)
    for number in 0..<1_000 {
      #expect(try Self.begin("f\(number)", of: mail)?.end == .delivered)
      try Self.remove("f\(number)", of: mail)
      #expect(try database.ownerCount(in: "Containers/mail") <= 100)
    }
    let rows = try database.ownedPlaces(in: "Containers/mail", after: [], limit: 1_000)
    #expect(try rows.count == database.ownerCount(in: "Containers/mail"))
  }

  @Test func `a container at its limit of file owners accepts another after a deletion`()
    throws
  {
    let lab = try QuietLab(Self.bounding)
    let mail = try lab.app("mail")
    for number in 0..<100 {
      #expect(try Self.begin("f\(number)", of: mail)?.end == .delivered)
    }
    let refused = try #require(try Self.begin("more", of: mail))
    #expect(refused.end == .failed && refused.status == FileFailure.internal.rawValue)
    #expect(try Self.begin("f7", of: mail)?.end == .delivered, "the owner is already recorded")
    let notes = try lab.app("notes")
    #expect(
      try Self.begin("more", of: notes)?.end == .delivered, "another container has its own limit")
    try Self.remove("f99", of: mail)
    // Each attempt inspects some of the rows.
    let ends = try (0..<3).map { _ in try Self.begin("more", of: mail)?.end }
    #expect(ends.contains(.delivered))
  }

  @Test
  func `only the guest over its disk quota is terminated, and its files are kept`()
    throws
  {
    let lab = try QuietLab(Self.bounding)
    let (mail, notes) = (try lab.app("mail"), try lab.app("notes"))
    Self.wait(lab, until: mail) { $0.bytes == 0 }
    try Self.write(1 << 19, to: "allowed", of: notes)
    try Self.write(2 << 20, to: "large", of: mail)
    Self.wait(lab, until: mail) { $0.bytes > 1 << 20 }
    lab.wait("its end") { !lab.device.guests.isRunning("mail") }
    guard case .diskQuota(let text) = lab.device.guests.exitCause(of: "mail") else {
      Issue.record("it ended otherwise")
      return
    }
    #expect(text.hasSuffix("bytes of the disk; the maximum is 1048576"))
    #expect(try lab.exits == ["mail diskQuota"])
    #expect(lab.device.guests.isRunning("notes"))
    #expect(FileManager.default.fileExists(atPath: "\(mail.guest.container)/large"))
  }

  @Test func `many files of guests cause an early scan, and files of the device do not`() throws {
    let lab = try QuietLab()
    let (mail, scope) = (try lab.app("mail"), "Containers/mail")
    let folders = lab.device.storage.folders
    var quota = DiskQuota()
    quota.containerFiles = 640
    var free = try #require(FreeSpace(at: folders.root))
    free.files = 1_000_000
    var checks = 0
    let watch = DiskWatch(
      quota, folders: folders, registry: lab.services.registry, loop: lab.device.loop
    ) { _ in
      checks += 1
      return free
    }
    defer { withExtendedLifetime((lab, watch)) {} }
    func tick() { lab.device.loop.advance(by: DiskWatch.tick) }
    try watch.watch()
    lab.wait("the first scan") {
      tick()
      return watch.usage(of: scope) != nil
    }
    let files = try #require(watch.usage(of: scope)?.files)
    try Self.write(1, to: "a", of: mail)
    lab.wait("a scan that finds the file") {
      tick()
      return watch.usage(of: scope)?.files == files + 1
    }
    // The next regular scan is a second later. During a scan, there are no checks.
    func scansEarly() -> Bool {
      tick()
      let before = checks
      tick()
      return checks == before
    }
    try watch.admit(DiskUsage(files: 20), to: scope)
    free.files -= 20
    #expect(!scansEarly())
    free.files -= 9
    #expect(!scansEarly())
    free.files -= 1
    #expect(scansEarly())
  }

  @Test func `container disk usage is not scanned until the clock advances`() throws {
    let lab = try QuietLab(Self.bounding)
    let mail = try lab.app("mail")
    try Self.write(2 << 20, to: "large", of: mail)
    for _ in 0..<100 { lab.device.loop.poll() }
    #expect(lab.services.disk.usage(of: "Containers/mail") == nil)
    #expect(lab.device.guests.isRunning("mail"))
  }

  @Test func `a new file beyond a container's quota is rejected with usage and quota`()
    throws
  {
    let lab = try QuietLab { $0.limits.disk.containerFiles = 3 }
    let mail = try lab.app("mail") { $0.integratesSDK = true }
    func make(_ name: String) -> RequestOutcome? {
      mail.ask(.openFile(OpenFile(FileReference(name), mode: .creating)))
    }
    for name in ["a", "b", "c"] { #expect(make(name)?.end == .delivered) }
    let refused = make("d")
    #expect(refused?.end == .failed)
    #expect(refused?.status == FileFailure.internal.rawValue)
    let details = try lab.events.compactMap { event in
      if case .ended(_, _, _, let detail) = event { detail } else { nil }
    }
    #expect(
      details == [
        "cannot create `Containers/mail/d`: the container `Containers/mail` has 4 files and "
          + "folders; the maximum is 3"
      ])
    // An existing file is opened, and a removed file makes space for another.
    #expect(make("a")?.end == .delivered)
    mail.say(.removeFile(FileReference("b")))
    #expect(make("d")?.end == .delivered)
  }
}
