import AppConfiguration
import Declarations
import EventLoop
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// Each owner of a device by what it does for guests in memory: no process is started.
@Suite(.timeLimit(.minutes(15))) struct OwnerTests {
  static let anna = QuietLab.anna

  /// A policy that keeps org data in managed apps, for Anna in `com.example.mail`.
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

  static func events(_ lab: QuietLab) throws -> [JournalEvent.Kind] {
    lab.device.guests.turn {}
    let text = try String(contentsOfFile: lab.device.journalPath, encoding: .utf8)
    return try text.split(separator: "\n").map { try JournalEvent(line: String($0)).kind }
  }

  // MARK: guests

  @Test func `the registry knows guests by name and by bundle, in the order of installation`()
    throws
  {
    let lab = try QuietLab()
    for name in ["b", "a"] {
      try lab.device.install(AppDescription(name: name, bundleID: "com.example.both"))
    }
    let registry = lab.owners.registry
    #expect(registry.installed.map(\.name) == ["b", "a"])
    #expect(registry.guest(ofBundle: "com.example.both")?.name == "b")
    #expect(registry.guest(named: "a")?.name == "a")
    #expect(registry.guest(named: "com.example.both")?.name == "b")
    #expect(throws: HostError.self) { try registry.find("c") }
  }

  @Test func `an app whose interrupted wipes cannot be read is not installed`() throws {
    let lab = try QuietLab()
    let database = lab.device.storage.database
    let app = AppDescription(name: "mail", bundleID: "com.example.mail")
    try database.access { try $0.run("ALTER TABLE signIn RENAME COLUMN wiping TO leaving") }
    #expect(throws: HostError.self) { try lab.device.install(app) }
    #expect(lab.owners.registry.installed.isEmpty)
    try database.access { try $0.run("ALTER TABLE signIn RENAME COLUMN leaving TO wiping") }
    try lab.device.install(app)
    #expect(lab.owners.registry.installed.map(\.name) == ["mail"])
  }

  @Test func `an extension belongs to its app, and each instance has a name of its own`() throws {
    let lab = try QuietLab()
    try lab.device.install(AppDescription(name: "app", bundleID: "com.example.app"))
    var action = AppDescription(name: "act", bundleID: "com.example.app.act")
    action.kind = .extension(.share, in: "com.example.app")
    try lab.device.install(action)
    let registry = lab.owners.registry
    let app = try registry.find("app")
    let act = try registry.find("act")
    #expect(registry.app(of: act) === app)
    #expect(registry.app(of: app) === app)
    #expect(registry.members(of: app).map(\.name) == ["app", "act"])
    #expect(
      ["\(registry.nextInstance(of: act))", "\(registry.nextInstance(of: act))"] == [
        "act#1", "act#2",
      ])
    registry.removeInstance(act)
    #expect(registry["act"] != nil, "what is installed stays")
  }

  @Test func `a guest comes up by its handshake, and ends when it is asked to`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
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

  @Test func `what was said in time counts, however long the host does not read`() throws {
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
    let request = sender.say(.share(Share(destination: "mail", item: Item(text: "x"))))
    mail.say(.acknowledge(through: 1), isRequest: false)
    lab.device.loop.advance(by: 60_000)
    #expect(sender.outcome(of: request)?.end == .delivered && mail.guest.isReady)
  }

  @Test func `another protocol is refused, and a second request of the same number ends the guest`()
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
    guard case .protocolViolation(let why)? = lab.device.guests.exitCause(of: "mail") else {
      Issue.record("it goes on")
      return
    }
    #expect(why.contains("a replay"))
  }

  // MARK: turn, audit log, durability

  @Test func `nothing is sent before the journal has it`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    func journal() -> String {
      (try? String(contentsOfFile: lab.device.journalPath, encoding: .utf8)) ?? ""
    }
    var isFirst: Bool?
    mail.onWrite = { isFirst = journal().contains("account.renamed") }
    lab.device.guests.turn {
      lab.owners.audit.record(.accountRenamed(account: "a", to: "b"))
      lab.device.guests.turn.send(HostMessage(.clockAdvanced(time: 1)), to: mail.guest)
      #expect(!journal().contains("account.renamed"))
      #expect(isFirst == nil, "nothing is sent within the turn")
    }
    #expect(isFirst == true)
    mail.onWrite = {}
  }

  @Test func `the first fault stops everything, and nothing is told after it`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    let heard = mail.heard.count
    lab.device.guests.turn {
      lab.device.storage.durability.fail(HostError(.storage, "the first"))
      lab.device.storage.durability.fail(HostError(.storage, "the second"))
      lab.device.guests.turn.send(HostMessage(.clockAdvanced(time: 1)), to: mail.guest)
    }
    mail.settle()
    #expect(lab.device.fault?.description == "the first")
    #expect(mail.heard.count == heard && !mail.guest.isRunning)
    var wasCalled = false
    lab.device.storage.durability.persist { () throws(HostError) in wasCalled = true }
    #expect(!wasCalled)
  }

  @Test func `each request has one decision and one end, and those who watch hear of both`() throws
  {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    var decided: [Int] = []
    var ended: [Int] = []
    lab.device.observer = DeviceObserver(
      onDecision: { _, decision in decided.append(decision.request) },
      onEnd: { request, _, _ in ended.append(request) })
    for body: GuestMessage.Body in [.paste, .copy(Item(text: "x")), .paste] { mail.say(body) }
    #expect(decided == [1, 2, 3] && ended == [1, 2, 3])
  }

  // MARK: replies and flow control

  @Test func `whoever takes nothing keeps those waiting who send to it, and nobody else`() throws {
    let lab = try QuietLab { $0.limits.backlog = 1000 }
    let (a, b, deaf) = (try lab.app("a"), try lab.app("b"), try lab.app("deaf"))
    deaf.isDeaf = true
    a.say(.share(Share(destination: "deaf", item: Item(text: String(repeating: "x", count: 600)))))
    a.say(.share(Share(destination: "deaf", item: Item(text: String(repeating: "x", count: 600)))))
    #expect(deaf.guest.isOverloaded && !a.isReading && b.isReading)
    let request = b.say(.share(Share(destination: "b", item: Item(text: "to itself"))))
    #expect(b.outcome(of: request)?.end == nil, "it has not confirmed it")
    b.say(.acknowledge(through: 1), isRequest: false)
    #expect(b.outcome(of: request)?.end == .delivered)
    deaf.listen()
    deaf.say(.acknowledge(through: 2), isRequest: false)
    #expect(!deaf.guest.isOverloaded && a.isReading)
  }

  // MARK: deliveries

  @Test func `what is not confirmed when a guest goes is undeliverable`() throws {
    let lab = try QuietLab()
    let (mail, notes) = (try lab.app("mail"), try lab.app("notes"))
    let first = mail.say(.share(Share(destination: "notes", item: Item(text: "1"))))
    let second = mail.say(.share(Share(destination: "notes", item: Item(text: "2"))))
    #expect(notes.deliveries.map(\.item.text) == ["1", "2"])
    #expect(notes.deliveries.allSatisfy { $0.sender == "com.example.mail" })
    notes.say(.acknowledge(through: 1), isRequest: false)
    #expect(mail.outcome(of: first)?.end == .delivered)
    #expect(mail.outcome(of: second) == nil)
    lab.device.guests.kill(["notes"]) {}
    notes.settle()
    #expect(mail.outcome(of: second)?.end == .undeliverable)
  }

  @Test func `who does not run is started for what it is sent, and gets it when it is ready`()
    throws
  {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    try lab.device.install(AppDescription(name: "late", bundleID: "com.example.late"))
    mail.say(.share(Share(destination: "late", item: Item(text: "early"))))
    let late = try #require(lab.started("late").last)
    #expect(late.deliveries.isEmpty)
    late.sayHello()
    #expect(late.deliveries.map(\.item.text) == ["early"])
  }

  @Test func `whoever confirms what it was not sent is ended`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    mail.say(.acknowledge(through: 1), isRequest: false)
    #expect(!mail.guest.isRunning)
    guard case .protocolViolation? = lab.device.guests.exitCause(of: "mail") else {
      Issue.record("it ended otherwise")
      return
    }
  }

  // MARK: transfers and tags

  @Test func `org data stays in managed apps, and a forged tag opens nothing`() throws {
    let lab = try QuietLab(Self.protecting)
    let mail = try lab.managed("mail")
    let viewer = try lab.app("viewer")
    let refused = mail.say(.share(Share(destination: "viewer", item: Item(text: "figures"))))
    #expect(mail.outcome(of: refused)?.verdict == .blocked && viewer.deliveries.isEmpty)
    let item = lab.device.sealed(Item(text: "figures"), of: Self.anna, from: "com.example.mail")
    #expect(item.tag?.isManaged == true)
    var forged = item
    forged.tag?.isManaged = false
    let request = viewer.say(.share(Share(destination: "mail", item: forged)))
    #expect(viewer.outcome(of: request)?.reasons.first?.rule == "tagSealBroken")
    #expect(mail.deliveries.isEmpty)
  }

  @Test func `what was copied is the owner's when it is pasted, and gone with the owner`() throws {
    let lab = try QuietLab(Self.protecting)
    let mail = try lab.managed("mail")
    let viewer = try lab.app("viewer")
    mail.say(.copy(Item(text: "figures")))
    let refused = viewer.say(.paste)
    #expect(viewer.outcome(of: refused)?.verdict == .blocked)
    let pasted = mail.say(.paste)
    #expect(mail.outcome(of: pasted)?.items.first?.text == "figures")
    mail.say(.signOut(account: Self.anna.upn))
    lab.wait("the sign-out") { !lab.device.wipes.isWiping }
    let empty = mail.say(.paste)
    #expect(mail.outcome(of: empty)?.reasons.first?.rule == "pasteboardEmpty")
  }

  @Test func `the characters of what was copied are counted once, not with each paste`() throws {
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
    let pasteboard = lab.owners.transfers.pasteboard
    var content = try #require(pasteboard.content)
    #expect(content.characters == 8)
    content.characters = 7
    pasteboard.copy(content)
    #expect(verdict() == .allowed, "the number is that of the copy")
    mail.say(.copy(Item(type: "public.data", payload: .inline([0x66, 0xFF]))))
    #expect(pasteboard.content?.characters == nil)
    #expect(verdict() == .blocked, "no text has an exception")
  }

  @Test func `a route is taken until something changes that may decide otherwise`() throws {
    let lab = try QuietLab()
    let (mail, _) = (try lab.app("mail"), try lab.app("notes"))
    mail.say(.share(Share(destination: "notes", item: Item(text: "1"))))
    let route = try #require(mail.guest.mailbox.route)
    mail.say(.share(Share(destination: "notes", item: Item(text: "2"))))
    #expect(mail.guest.mailbox.route?.ruling === route.ruling)
    lab.owners.policies.invalidateRulings()
    mail.say(.share(Share(destination: "notes", item: Item(text: "3"))))
    #expect(mail.guest.mailbox.route?.ruling !== route.ruling)
  }

  // MARK: files, keychain, wipes

  @Test func `a file is its owner's, and goes with the account`() throws {
    let lab = try QuietLab(Self.protecting)
    let mail = try lab.managed("mail")
    let file = FileReference("figures.txt")
    let made = mail.say(.openFile(OpenFile(file, mode: .create)))
    #expect(mail.outcome(of: made)?.file?.ownerUPN == Self.anna.upn)
    let outside = mail.say(.openFile(OpenFile(FileReference("../other/figures.txt"), mode: .read)))
    #expect(mail.outcome(of: outside)?.reasons.first?.rule == "fileOutsideContainer")
    let path = lab.device.containerPath(of: "mail") + "/figures.txt"
    #expect(FileManager.default.fileExists(atPath: path))
    try lab.device.wipes.wipe(Self.anna, in: "mail") {}
    mail.answerWipe()
    lab.wait("the wipe") { !lab.device.wipes.isWiping }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(lab.device.accounts.accounts(signedInTo: "mail").isEmpty)
    #expect(
      try Self.events(lab).contains(
        .accountWiped(app: "com.example.mail", account: Self.anna.upn)))
  }

  @Test func `an account that is signed in is no unknown owner of files after a restart either`()
    throws
  {
    let workspace = try Workspace()
    let open = { try QuietLab { $0.folder = workspace.path("device") } }
    do {
      let lab = try open()
      let mail = try lab.app("mail") { $0.integratesSDK = true }
      try lab.device.accounts.presetSignIn(Account(upn: "bert@example.org"), in: "mail")
      for owner in ["bert@example.org", "carl@example.org"] {
        mail.say(.openFile(OpenFile(FileReference(owner), mode: .create, owner: owner)))
      }
      #expect(lab.owners.files.unknownOwners == ["carl@example.org"])
    }
    #expect(try open().owners.files.unknownOwners == ["carl@example.org"])
  }

  @Test func `a keychain item is found once it is there, and only once`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    let key = KeychainKey(service: "s", account: "a")
    let missing = mail.say(.keychainQuery(key))
    #expect(mail.outcome(of: missing)?.status == -25300)
    mail.say(.keychainAdd(key, value: [1]))
    let twice = mail.say(.keychainAdd(key, value: [2]))
    #expect(mail.outcome(of: twice)?.status == -25299)
    let found = mail.say(.keychainQuery(key))
    #expect(mail.outcome(of: found)?.items.first?.payload == .inline([1]))
  }

  @Test func `the keychain limits the items and bytes of an app`() throws {
    let lab = try QuietLab {
      $0.limits.keychain.valueBytes = 100
      $0.limits.keychain.items = 4
      $0.limits.keychain.bytes = 320
    }
    let (mail, other) = (try lab.app("mail"), try lab.app("other"))
    let add = { (name: String, count: Int, guest: MemoryGuest) in
      let request = guest.say(
        .keychainAdd(
          KeychainKey(service: "s", account: name), value: [UInt8](repeating: 1, count: count)))
      return guest.outcome(of: request)?.status
    }
    #expect(add("a", 101, mail) == -25302, "a value that is too large")
    #expect(["a", "b", "c"].map { add($0, 100, mail) } == [0, 0, 0])
    #expect(add("d", 100, mail) == -34, "more bytes than may be")
    #expect(add("d", 1, mail) == 0)
    #expect(add("e", 0, mail) == -34, "more items than may be")
    #expect(add("a", 100, mail) == -25299, "an item that is there")
    #expect(add("e", 100, other) == 0, "another app has room of its own")
    let deleted = mail.say(.keychainDelete(KeychainKey(service: "s", account: "a")))
    #expect(mail.outcome(of: deleted)?.status == 0)
    #expect(add("e", 0, mail) == 0)
  }

  @Test func `the accounts of an app are limited`() throws {
    let lab = try QuietLab { $0.limits.accounts = 2 }
    let mail = try lab.app("mail") { $0.integratesSDK = true }
    let ends = ["a", "b", "c", "a"].map { name in
      mail.outcome(of: mail.say(.signIn(account: "\(name)@example.org")))?.end
    }
    #expect(ends == [.delivered, .delivered, .failed, .delivered])
    let enrolled = mail.say(.enroll(Enroll(account: "d@example.org")))
    #expect(mail.outcome(of: enrolled)?.end == .failed)
    let out = mail.say(.signOut(account: "a@example.org"))
    lab.wait("the sign-out") { mail.outcome(of: out) != nil }
    let again = mail.say(.signIn(account: "c@example.org"))
    #expect(mail.outcome(of: again)?.end == .delivered)
  }

  // MARK: extensions, configurations, enrollment, tokens, management

  @Test func `an extension is started for what it is handed, and ends with it`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail")
    var action = AppDescription(name: "act", bundleID: "com.example.app.act")
    action.kind = .extension(.share, in: "com.example.app")
    try lab.device.install(AppDescription(name: "app", bundleID: "com.example.app"))
    try lab.device.install(action)
    let request = mail.say(.share(Share(destination: "act", item: Item(text: "x"))))
    let run = try #require(lab.started("act#1").last)
    run.sayHello()
    #expect(run.heard.contains { if case .extensionRequest = $0.body { true } else { false } })
    run.say(.completeExtension([]))
    #expect(mail.outcome(of: request)?.end == .delivered)
    run.settle()
    #expect(lab.owners.registry["act#1"] == nil && !lab.device.guests.isRunningExtensions)
  }

  @Test func `MDM's configuration may let an account no longer in`() throws {
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
  }

  @Test func `a token is refused where conditional access calls for more`() throws {
    let lab = try QuietLab()
    let mail = try lab.app("mail") { $0.integratesSDK = true }
    let request = AcquireToken(account: Self.anna.upn, resource: "https://graph.microsoft.com")
    let issued = mail.say(.acquireToken(request))
    #expect(mail.outcome(of: issued)?.items.count == 1)
    lab.device.access.set(Self.anna, isDisabled: true)
    let refused = mail.say(.acquireToken(request))
    #expect(mail.outcome(of: refused)?.verdict == .blocked)
  }

  @Test func `nobody manages a device that is not enrolled`() throws {
    for isEnrolled in [false, true] {
      let lab = try QuietLab { $0.state.isMDMEnrolled = isEnrolled }
      let outcome = Result { try lab.device.management.apply(DeclarationSet()) }
      #expect(((try? outcome.get()) != nil) == isEnrolled)
      #expect((lab.device.management.statusReport != nil) == isEnrolled)
    }
  }

  @Test func `what goes on is told, and at rest there is nothing to tell`() throws {
    let lab = try QuietLab()
    let (mail, notes) = (try lab.app("mail"), try lab.app("notes"))
    mail.say(.share(Share(destination: "notes", item: Item(text: "x"))))
    #expect(lab.device.rest.activity == "`notes` has not confirmed what it was sent")
    notes.say(.acknowledge(through: 1), isRequest: false)
    lab.device.guests.suspend("mail")
    #expect(lab.device.rest.activity != "`notes` has not confirmed what it was sent")
  }
}
