import Model
import Testing

@testable import Reports

/// Tests the sources and holders of items.
@Suite struct LineageBuilderTests {
  private let mail = Story.managed("mail")
  private let notes = Story.managed("notes")
  private let viewer = Story.plain("viewer")

  @Test func `a forwarded item has the received item as its source`() {
    var story = Story()
    let first = story.request(.share, by: mail, to: notes)
    let second = story.request(.share, by: notes, to: viewer) { $0.from = [first] }
    #expect(story.lineage.roots.map(\.number) == [first])
    #expect(story.sources(of: second) == [first])
    #expect(story.hop(second)?.holder == .app(viewer))
    #expect(story.hop(second)?.isUnmanaged == true)
    #expect(story.hop(first)?.isUnmanaged == false)
  }

  @Test func `pasted content has the copied content as its source`() {
    var story = Story()
    let copy = story.request(.copy, by: mail, of: nil)
    let paste = story.request(.paste, by: mail, to: notes) { $0.from = [copy] }
    #expect(story.hop(copy)?.holder == .pasteboard)
    #expect(story.hop(copy)?.owner == Story.anna)
    #expect(story.sources(of: paste) == [copy])
  }

  @Test(arguments: [RequestEnd.refused, .undeliverable, .failed])
  func `the lineage has no hop for a request that was not delivered`(end: RequestEnd) {
    var story = Story()
    let lost = story.request(.share, by: mail, to: notes, end: end)
    let next = story.request(.share, by: notes, to: viewer) { $0.from = [lost] }
    #expect(story.hop(lost) == nil)
    #expect(story.sources(of: next) == [])
  }

  @Test func `blocked requests and queries create no hop in the lineage`() {
    var story = Story()
    let blocked = story.request(.share, by: mail, to: viewer, outcome: .blocked, end: .refused)
    let question = story.request(.print, by: mail) { ($0.type, $0.bytes) = (nil, nil) }
    let mayReceive = story.request(.canReceive, by: nil, to: notes)
    for number in [blocked, question, mayReceive] { #expect(story.hop(number) == nil) }
  }

  @Test func `a receiver of ciphertext does not hold the data`() {
    var story = Story()
    let share = story.request(
      .share, by: mail, to: viewer, outcome: .encrypted, end: .deliveredEncrypted)
    #expect(story.hop(share)?.isEncrypted == true)
    #expect(story.hop(share)?.isUnmanaged == false)
  }

  @Test func `forwarded ciphertext remains ciphertext`() {
    var story = Story()
    let share = story.request(
      .share, by: mail, to: viewer, outcome: .encrypted, end: .deliveredEncrypted)
    let onward = story.request(.share, by: viewer, to: Story.plain("other")) { $0.from = [share] }
    #expect(story.hop(onward)?.isEncrypted == true)
    #expect(story.hop(onward)?.isUnmanaged == false)
  }

  // MARK: Files

  @Test func `a moved file keeps its content's sources`() {
    var story = Story()
    let share = story.request(.share, by: mail, to: notes)
    let written = story.file("Containers/notes/a", .beginning, by: notes, stating: [share])
    let moved = story.request(.moveFile, by: notes) {
      ($0.subject, $0.target) = ("Containers/notes/a", "Containers/notes/b")
    }
    let read = story.file("Containers/notes/b", .reading, by: notes)
    let gone = story.file("Containers/notes/a", .reading, by: notes)
    let onward = story.request(.share, by: notes, to: viewer) { $0.stated = [read] }
    #expect(story.sources(of: written, .stated) == [share])
    #expect(story.sources(of: moved) == [written])
    #expect(story.sources(of: read) == [moved])
    #expect(story.sources(of: gone) == [])
    #expect(story.sources(of: onward, .stated) == [read])
    #expect(story.hop(onward)?.isUnmanaged == true)
  }

  @Test func `appending adds sources, and truncating replaces them`() {
    var story = Story()
    let first = story.file("f", .beginning, by: notes)
    let share = story.request(.share, by: mail, to: notes)
    let added = story.file("f", .updating, by: notes, stating: [share])
    let asked = story.file("f", .asking, by: notes)
    let anew = story.file("f", .beginning, by: notes)
    #expect(story.sources(of: added) == [first])
    #expect(story.sources(of: added, .stated) == [share])
    #expect(story.hop(asked) == nil)
    #expect(story.sources(of: anew) == [])
  }

  @Test func `a deleted and recreated file is a different file`() {
    var story = Story()
    story.file("f", .beginning, by: notes)
    story.request(.removeFile, by: notes) { $0.subject = "f" }
    let read = story.file("f", .reading, by: notes)
    #expect(story.sources(of: read) == [])
  }

  @Test func `reading a file is an unmanaged hop only if a group container holds it`() {
    for (path, isUnmanaged) in [("Containers/viewer/f", false), ("Groups/team/f", true)] {
      var story = Story()
      story.file(path, .beginning, by: mail)
      let read = story.file(path, .reading, by: viewer)
      #expect(story.hop(read)?.isUnmanaged == isUnmanaged, "\(path)")
    }
  }

  // MARK: Sources stated by guests

  @Test func `a source that an app states counts only if the app received it`() {
    var story = Story()
    let own = story.request(.share, by: mail, to: notes)
    let others = story.request(.share, by: mail, to: viewer)
    let outside = story.request(.print, by: notes)
    let claim = story.request(.share, by: notes, to: mail) {
      $0.stated = [own, others, outside, 77]
    }
    #expect(story.sources(of: claim, .stated) == [own])
  }

  @Test func `an authenticated source takes precedence over a stated one`() {
    var story = Story()
    let share = story.request(.share, by: mail, to: notes)
    let next = story.request(.share, by: notes, to: mail) {
      ($0.from, $0.stated) = ([share], [share])
    }
    #expect(story.hop(next)?.sources == [Hop.SourceItem(item: share, certainty: .certain)])
  }

  @Test func `equal content is a likely source, listed after certain and stated sources`() {
    var story = Story()
    let share = story.request(.share, by: mail, to: notes)
    let copy = story.request(.share, by: mail, to: notes)
    let onward = story.request(.share, by: notes, to: viewer) {
      ($0.likely, $0.stated) = ([share], [copy])
    }
    #expect(story.sources(of: onward, .likely) == [share])
    #expect(story.hop(onward)?.sources.map(\.certainty) == [.stated, .likely])
    #expect(story.hop(onward)?.isUnmanaged == true)
    #expect(story.lineage.text.contains("viewer [unmanaged], likely, by its content: "))
  }

  // MARK: Storage locations and other outside parties

  @Test(
    arguments: [
      ("oneDriveForBusiness of `anna@contoso.com`", "oneDriveForBusiness", Story.anna, false),
      (
        "oneDriveForBusiness of `ben@fabrikam.com`", "oneDriveForBusiness", "ben@fabrikam.com", true
      ),
      ("localDrive of no account", "localDrive", nil, true),
      ("other of ``", "other", "", true),
    ] as [(String, String, String?, Bool)])
  func `storage locations are separate for each account`(
    subject: String, place: String, account: String?, isUnmanaged: Bool
  ) {
    var story = Story()
    let saved = story.request(.saveTo, by: mail) { $0.subject = subject }
    #expect(story.hop(saved)?.holder == .outside(place, account: account))
    #expect(story.hop(saved)?.isUnmanaged == isUnmanaged)
  }

  @Test
  func `pasted content is ciphertext only if the copying app had ciphertext`() {
    var story = Story()
    let other = Story.plain("other")
    let share = story.request(
      .share, by: mail, to: viewer, outcome: .encrypted, end: .deliveredEncrypted)
    let copy = story.request(.copy, by: viewer) { $0.from = [share] }
    let paste = story.request(.paste, by: nil, to: other) { $0.from = [copy] }
    #expect(story.hop(paste)?.isEncrypted == true)
    #expect(story.hop(paste)?.isUnmanaged == false)
    let own = story.request(.copy, by: mail, outcome: .encrypted)
    let read = story.request(.paste, by: nil, to: other) { $0.from = [own] }
    #expect(story.hop(read)?.isUnmanaged == true)
  }

  @Test func `data without an owner remains without an owner`() {
    var story = Story()
    let share = story.request(.share, by: viewer, to: Story.plain("other"), of: "")
    #expect(story.hop(share)?.isManaged == false)
    #expect(story.hop(share)?.isUnmanaged == false)
  }
}

/// Tests the number of movements by which managed data leaves the protection of policies.
@Suite struct DepartureTests {
  @Test(
    arguments: [
      (0, 0, "No managed data left the protection of policies."),
      (
        1, 0, "1 transfer took managed data out of the protection of policies, to an unmanaged app."
      ),
      (
        0, 2,
        "2 transfers took managed data out of the protection of policies, to places outside all apps."
      ),
      (
        2, 1,
        "3 transfers took managed data out of the protection of policies: 2 to unmanaged apps, 1 to a place outside all apps."
      ),
    ] as [(Int, Int, String)])
  func `the departures sentence counts transfers to unmanaged apps and to places outside apps`(
    apps: Int, places: Int, sentence: String
  ) {
    var story = Story()
    let mail = Story.managed("mail")
    for _ in 0..<apps { story.request(.share, by: mail, to: Story.plain("viewer")) }
    for _ in 0..<places { story.request(.print, by: mail) }
    story.request(.share, by: mail, to: Story.managed("notes"))
    var departures = Departures()
    for hop in story.lineage.hops { departures.add(hop) }
    #expect(departures.sentence == sentence)
  }

  @Test func `a lineage builder with a limit keeps only the latest items`() {
    var story = Story()
    for _ in 0..<1_000 { story.request(.share, by: Story.managed("mail"), to: Story.managed("a")) }
    let last = story.request(.share, by: Story.managed("a"), to: Story.plain("b")) {
      $0.from = [1, 1_000]
    }
    var builder = LineageBuilder(keeping: 10)
    var completed: [Int] = []
    for event in story.events { if let hop = builder.add(event) { completed.append(hop.number) } }
    #expect(completed == Array(1...last))
    #expect((10..<20).contains(builder.hops.count))
    #expect(builder.names.isEmpty)
    let hop = builder.hop(last)
    #expect(hop?.sources.map(\.item) == [1_000] && hop?.isUnmanaged == true)
  }

  @Test(arguments: [RequestEnd.failed, nil])
  func `a lineage builder with a limit does not accumulate files, requests and accounts`(
    end: RequestEnd?
  ) {
    var story = Story()
    for number in 0..<1_000 {
      let app = Participant(
        guest: "notes", app: "com.contoso.notes", identity: "user\(number)@contoso.com",
        isManaged: false)
      story.request(.openFile, by: app, end: end) {
        ($0.subject, $0.use, $0.type, $0.bytes) = ("f\(number)", .beginning, nil, nil)
      }
    }
    var builder = LineageBuilder(keeping: 10)
    for event in story.events { builder.add(event) }
    let mirror = Mirror(reflecting: builder)
    for name in ["known", "open", "files", "accounts", "names"] {
      let stored = mirror.descendant(name).map { Mirror(reflecting: $0).children.count }
      #expect(stored.map { $0 <= 20 } == true, "\(name)")
    }
  }
}

/// Tests data that moves over several devices.
@Suite struct DeviceLineageTests {
  private static func story(of device: String) -> Story {
    var story = Story()
    story.add(.deviceStarted(device: device, seed: 1))
    return story
  }

  private static func arrival(_ item: Int, from device: String, _ request: Int)
    -> JournalEvent.Kind
  {
    .itemArrived(
      item: item, by: .airDrop, device: device, request: request, type: "public.data", bytes: 7)
  }

  /// Anna's data moves from the phone to the tablet and back.
  private static var journals: [[JournalEvent]] {
    var phone = story(of: "phone")
    let sent = phone.request(.airDrop, by: Story.managed("mail")) { $0.subject = "tablet" }
    var tablet = story(of: "tablet")
    tablet.add(arrival(1, from: "phone", sent))
    var back = RequestDecision.opened(2, by: Story.plain("viewer"), from: 1)
    tablet.add(.decided(back))
    tablet.add(.ended(request: 2, end: .delivered))
    back = RequestDecision.sent(3, by: Story.plain("viewer"), from: 2)
    tablet.add(.decided(back))
    tablet.add(.ended(request: 3, end: .delivered))
    phone.add(arrival(2, from: "tablet", 3))
    return [phone.events, tablet.events]
  }

  @Test func `a chain of hops continues across devices in any order of their journals`() {
    for journals in [Self.journals, Self.journals.reversed()] {
      let lineage = Lineage(ofDevices: journals)
      #expect(
        lineage.hops.map(\.label) == ["phone 1", "tablet 1", "tablet 2", "tablet 3", "phone 2"])
      #expect(lineage.hops.map { $0.sources.map(\.item) } == [[], [1], [2], [3], [4]])
      // The data's owner is known on each device.
      #expect(lineage.hops.allSatisfy { $0.isManaged })
      #expect(lineage.roots.count == 1)
    }
  }

  @Test func `data encrypted on the way remains ciphertext when it is forwarded`() {
    var phone = Self.story(of: "phone")
    phone.request(.airDrop, by: Story.managed("mail"), outcome: .encrypted)
    var tablet = Self.story(of: "tablet")
    tablet.add(
      .itemArrived(
        item: 1, by: .airDrop, device: "phone", request: 1, type: "public.data", bytes: 7,
        isEncrypted: true))
    tablet.add(.decided(.sent(2, by: Story.plain("viewer"), from: 1)))
    tablet.add(.ended(request: 2, end: .delivered))
    phone.add(Self.arrival(2, from: "tablet", 2))
    let lineage = Lineage(ofDevices: [phone.events, tablet.events])
    #expect(
      lineage.hops.count == 4 && lineage.hops.allSatisfy { $0.isEncrypted && !$0.isUnmanaged })
  }

  @Test func `without the sender's journal, a received item has no source`() {
    let lineage = Lineage(ofDevices: [Self.journals[1], Self.story(of: "other").events])
    #expect(lineage.hops.map(\.label) == ["tablet 1", "tablet 2", "tablet 3"])
    #expect(lineage.hops[0].sources.isEmpty && !lineage.hops[0].isManaged)
    #expect(Lineage(ofDevices: [Self.journals[1]]).hops.map(\.number) == [1, 2, 3])
  }

  @Test func `a lineage can be built from journals with circular references`() {
    var (phone, tablet) = (Self.story(of: "phone"), Self.story(of: "tablet"))
    phone.add(Self.arrival(1, from: "tablet", 2))
    phone.add(.decided(.sent(2, by: Story.plain("viewer"), from: 1)))
    phone.add(.ended(request: 2, end: .delivered))
    tablet.add(Self.arrival(1, from: "phone", 2))
    tablet.add(.decided(.sent(2, by: Story.plain("viewer"), from: 1)))
    tablet.add(.ended(request: 2, end: .delivered))
    let lineage = Lineage(ofDevices: [phone.events, tablet.events])
    #expect(lineage.hops.count == 4)
    for hop in lineage.hops { #expect(hop.sources.allSatisfy { $0.item < hop.number }) }
    let lines = lineage.text.split(separator: "\n")
    for label in lineage.hops.map(\.label) {
      #expect(lines.contains { $0.contains(label) }, "\(lineage.text)")
    }
  }
}

extension RequestDecision {
  /// Returns the opening of a received item.
  fileprivate static func opened(_ number: Int, by app: Participant, from item: Int) -> Self {
    moved(number, .openReceived, nil, app, item)
  }

  /// Returns a transfer of an item to another device.
  fileprivate static func sent(_ number: Int, by app: Participant, from item: Int) -> Self {
    moved(number, .airDrop, app, nil, item)
  }

  private static func moved(
    _ number: Int, _ operation: Operation, _ sender: Participant?, _ receiver: Participant?,
    _ item: Int
  ) -> Self {
    RequestDecision(
      request: number, operation: operation, sender: sender, receiver: receiver, owner: "",
      type: "public.data", bytes: 7, from: [item],
      verdict: ExplainedVerdict(
        outcome: .allowed, deciding: .noRuleApplied,
        reasons: [Explanation(rule: .noRuleApplied, side: .device, text: "nobody minds")],
        changes: []))
  }
}

/// The events of a device on which data moves. Each request has a decision and an end.
struct Story {
  private(set) var events: [JournalEvent] = []
  private var requests = 0

  static let anna = "anna@contoso.com"

  /// Returns an app that acts for Anna's managed account.
  static func managed(_ name: String) -> Participant {
    Participant(guest: name, app: "com.contoso.\(name)", identity: anna, isManaged: true)
  }

  /// Returns an app without the SDK.
  static func plain(_ name: String) -> Participant {
    Participant(guest: name, app: "org.example.\(name)", identity: nil, isManaged: false)
  }

  /// Adds an allowed request.
  ///
  /// - Parameter end: The end; nil for an open request.
  /// - Returns: The request's number.
  @discardableResult
  mutating func request(
    _ operation: Operation, by sender: Participant?, to receiver: Participant? = nil,
    of owner: String? = anna, outcome: Outcome = .allowed, end: RequestEnd? = .delivered,
    _ change: (inout RequestDecision) -> Void = { _ in }
  ) -> Int {
    requests += 1
    var decision = RequestDecision(
      request: requests, operation: operation, sender: sender, receiver: receiver, owner: owner,
      type: "public.utf8-plain-text", bytes: 7,
      verdict: ExplainedVerdict(
        outcome: outcome, deciding: .noRuleApplied,
        reasons: [Explanation(rule: .noRuleApplied, side: .device, text: "nobody minds")],
        changes: []))
    change(&decision)
    add(.decided(decision))
    if let end { add(.ended(request: requests, end: end)) }
    return requests
  }

  /// Adds a request about a file.
  @discardableResult
  mutating func file(
    _ path: String, _ use: FileUse, by app: Participant, stating items: [Int] = []
  ) -> Int {
    request(.openFile, by: app) {
      ($0.subject, $0.use, $0.stated, $0.type, $0.bytes) = (path, use, items, nil, nil)
    }
  }

  mutating func add(_ kind: JournalEvent.Kind) {
    events.append(JournalEvent(sequence: events.count + 1, time: 1_767_225_600, kind: kind))
  }

  var lineage: Lineage { Lineage(events) }

  /// Returns the hop that created the item.
  func hop(_ number: Int) -> Hop? { lineage.byNumber[number] }

  /// Returns the sources of the item with this certainty.
  func sources(of number: Int, _ certainty: Hop.Certainty = .certain) -> [Int]? {
    hop(number)?.sources.filter { $0.certainty == certainty }.map(\.item)
  }
}
