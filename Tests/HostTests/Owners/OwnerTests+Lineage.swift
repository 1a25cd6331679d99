import Model
import Testing
import Wire

@testable import Host

/// The numbers by which the journal tells what items came from.
extension OwnerTests {
  private static func decisions(_ lab: QuietLab) throws -> [RequestDecision] {
    try events(lab).compactMap { if case .decided(let decision) = $0 { decision } else { nil } }
  }

  private static let text = Item(text: "Quarterly figures")

  private static func share(_ item: Item, with receiver: String) -> GuestMessage.Body {
    .share(Share(destination: receiver, item: item))
  }

  @Test func `a tag states the request that handed its item over, and the journal what came of it`()
    throws
  {
    let lab = try QuietLab()
    let (mail, notes) = (try lab.managed("mail"), try lab.managed("notes"))
    mail.say(Self.share(Self.text, with: "notes"))
    notes.acknowledge()
    let item = try #require(notes.deliveries.last?.item)
    notes.say(.copy(item))
    let paste = mail.say(.paste)
    let pasted = try #require(mail.outcome(of: paste)?.items.first)
    mail.say(.canReceive(pasted))
    let decided = try Self.decisions(lab)
    #expect(item.tag?.sequence == UInt64(decided[0].request))
    #expect(decided.map(\.from) == [[], [1], [2], [3]])
    #expect(decided.map(\.request) == [1, 2, 3, 4])
  }

  @Test func `what a guest says of an item's sources is told apart, and none is still to come`()
    throws
  {
    let lab = try QuietLab()
    let (mail, notes) = (try lab.managed("mail"), try lab.managed("notes"))
    mail.say(Self.share(Self.text, with: "notes"))
    // A route is there already, and so is its line in the journal: this one is told apart.
    mail.say(Self.share(Self.text, with: "notes"), madeOf: [1, 2, 3, 0, .max])
    mail.say(Self.share(Self.text, with: "notes"))
    notes.acknowledge()
    let decided = try Self.decisions(lab)
    #expect(decided.map(\.stated) == [[], [1], []])
    #expect(decided.allSatisfy { $0.from.isEmpty })
  }

  @Test func `who names more sources than anybody needs is ended`() throws {
    let lab = try QuietLab()
    let mail = try lab.managed("mail")
    mail.say(Self.share(Self.text, with: "mail"), madeOf: Array(1...65))
    lab.wait("the end") { !mail.guest.isRunning }
    #expect(try Self.decisions(lab).isEmpty)
    let causes = try Self.events(lab).compactMap {
      if case .guestExited(_, let cause, _) = $0 { cause } else { nil }
    }
    #expect(causes == ["protocolViolation"])
  }

  @Test func `content that comes without its tag is told where the device looks, and nowhere else`()
    throws
  {
    for lineage in DeviceConfiguration.Lineage.allCases {
      let lab = try QuietLab { $0.lineage = lineage }
      let (mail, notes) = (try lab.managed("mail"), try lab.managed("notes"))
      mail.say(Self.share(Self.text, with: "notes"))
      notes.acknowledge()
      let tagged = try #require(notes.deliveries.last?.item)
      notes.say(Self.share(Self.text, with: "mail"))
      notes.say(.copy(Self.text))
      notes.say(.use(SystemHandOff(channel: "print", item: Self.text)))
      notes.say(Self.share(tagged, with: "mail"))
      notes.say(Self.share(Item(text: "Minutes of the board"), with: "mail"))
      mail.say(Self.share(Self.text, with: "notes"))
      let likely = try Self.decisions(lab).map(\.likely)
      switch lineage {
      case .tags: #expect(likely == Array(repeating: [], count: 7))
      // What mail was handed by notes, it hands on as well.
      case .content: #expect(likely == [[], [1], [1], [1], [], [], [2, 5]])
      }
    }
  }

  @Test func `a file is known by the request that has opened it`() throws {
    let lab = try QuietLab()
    let notes = try lab.managed("notes")
    let path = FileReference("a.txt")
    let begins = notes.say(.openFile(OpenFile(path, mode: .create)), madeOf: [])
    let updates = notes.say(.openFile(OpenFile(path, mode: .create)))
    notes.say(.openFile(OpenFile(path, mode: .read, isQuestion: true)))
    let reads = notes.say(.openFile(OpenFile(path, mode: .read)))
    notes.say(.moveFile(path, to: FileReference("b.txt")))
    let fails = notes.say(.openFile(OpenFile(path, mode: .read)))
    #expect([begins, updates, reads].map { notes.outcome(of: $0)?.file?.item } == [1, 2, 4])
    #expect(notes.outcome(of: fails)?.end == .failed)
    let decided = try Self.decisions(lab)
    #expect(decided.map(\.use) == [.beginning, .updating, .asking, .reading, nil, nil])
    #expect(decided[4].target == "Containers/notes/b.txt")
  }
}
