import Model
import Testing
import Wire

@testable import Host

/// Tests the numbers by which the journal traces the sources of items.
extension ServiceTests {
  private static let text = Item(text: "Quarterly figures")

  @Test func `the delivering request is in the item's ownership tag and in the journal`() throws {
    let lab = try QuietLab()
    let (mail, notes) = (try lab.managed("mail"), try lab.managed("notes"))
    mail.say(.sharing(Self.text, with: "notes"))
    notes.acknowledge()
    let item = try #require(notes.deliveries.last?.item)
    notes.say(.copy(item))
    let pasted = try #require(mail.ask(.paste)?.items.first)
    mail.say(.canReceive(pasted))
    let decided = try lab.decisions
    #expect(item.tag?.sequence == UInt64(decided[0].request))
    #expect(decided.map(\.from) == [[], [1], [2], [3]])
    #expect(decided.map(\.request) == [1, 2, 3, 4])
  }

  @Test func `a guest's stated sources count only if they are numbers of earlier requests`() throws
  {
    let lab = try QuietLab()
    let (mail, notes) = (try lab.managed("mail"), try lab.managed("notes"))
    mail.say(.sharing(Self.text, with: "notes"))
    // The journal already has a line for a reused decision. This request has its own line.
    mail.say(.sharing(Self.text, with: "notes"), madeOf: [1, 2, 3, 0, .max])
    mail.say(.sharing(Self.text, with: "notes"))
    notes.acknowledge()
    let decided = try lab.decisions
    #expect(decided.map(\.stated) == [[], [1], []])
    #expect(decided.allSatisfy { $0.from.isEmpty })
  }

  @Test func `a guest that names too many sources is terminated`() throws {
    let lab = try QuietLab()
    let mail = try lab.managed("mail")
    mail.say(.sharing(Self.text, with: "mail"), madeOf: Array(1...65))
    lab.wait("the end") { !mail.guest.isRunning }
    #expect(try lab.decisions.isEmpty)
    #expect(try lab.exits == ["mail protocolViolation"])
  }

  @Test func `untagged content is recognised only on devices that trace content`() throws {
    for lineage in DeviceConfiguration.Lineage.allCases {
      let lab = try QuietLab { $0.lineage = lineage }
      let (mail, notes) = (try lab.managed("mail"), try lab.managed("notes"))
      mail.say(.sharing(Self.text, with: "notes"))
      notes.acknowledge()
      let tagged = try #require(notes.deliveries.last?.item)
      notes.say(.sharing(Self.text, with: "mail"))
      notes.say(.copy(Self.text))
      notes.say(.use(Use(channel: "print", item: Self.text)))
      notes.say(.sharing(tagged, with: "mail"))
      notes.say(.sharing(Item(text: "Minutes of the board"), with: "mail"))
      mail.say(.sharing(Self.text, with: "notes"))
      let likely = try lab.decisions.map(\.likely)
      switch lineage {
      case .tags: #expect(likely == Array(repeating: [], count: 7))
      // mail also forwards the item that it received from notes.
      case .content: #expect(likely == [[], [1], [1], [1], [], [], [2, 5]])
      }
    }
  }

  @Test func `a file's lineage refers to the request that opened the file`() throws {
    let lab = try QuietLab()
    let notes = try lab.managed("notes")
    let path = FileReference("a.txt")
    let begins = notes.say(.openFile(OpenFile(path, mode: .creating)), madeOf: [])
    let updates = notes.say(.openFile(OpenFile(path, mode: .creating)))
    notes.say(.openFile(.question(about: path)))
    let reads = notes.say(.openFile(OpenFile(path, mode: .reading)))
    notes.say(.moveFile(path, to: FileReference("b.txt")))
    let fails = notes.say(.openFile(OpenFile(path, mode: .reading)))
    #expect([begins, updates, reads].map { notes.outcome(of: $0)?.file?.item } == [1, 2, 4])
    #expect(notes.outcome(of: fails)?.end == .failed)
    let decided = try lab.decisions
    #expect(decided.map(\.use) == [.beginning, .updating, .asking, .reading, nil, nil])
    #expect(decided[4].target == "Containers/notes/b.txt")
  }
}

/// Tests content that returns without its tag and is found by its fingerprints.
@Suite struct ContentTracesTests {
  private static let text = """
    The quarterly figures are in: revenue is up by four percent, costs are down by two, and nobody is to hear of it \
    before Thursday, when the board meets in the old library.
    """

  private func sources(
    of content: String, from app: String = "notes", after handed: [(String, Int, String)]
  ) -> [Int] {
    let traces = ContentTraces()
    for (text, number, app) in handed {
      Array(text.utf8).withUnsafeBytes { traces.handed($0, number, to: app) }
    }
    return Array(content.utf8).withUnsafeBytes { traces.sources(of: $0, from: app) }
  }

  @Test func `whole, partial and embedded content is traced to its source`() {
    let handed = [(Self.text, 3, "notes")]
    #expect(sources(of: Self.text, after: handed) == [3])
    #expect(sources(of: String(Self.text.dropFirst(20).prefix(60)), after: handed) == [3])
    #expect(sources(of: "Look: " + Self.text.prefix(80) + " and so on", after: handed) == [3])
    #expect(
      sources(of: "Something else altogether, of no less than some length.", after: handed) == [])
  }

  /// The test uses every part of that length, at every offset.
  @Test func `a received part of pieceCount + window - 1 bytes is always traced to its source`() {
    let count = ContentTraces.pieceCount + ContentTraces.window - 1
    let bytes = Array(Self.text.utf8)
    for start in 0...(bytes.count - count) {
      let part = String(decoding: bytes[start..<start + count], as: UTF8.self)
      #expect(sources(of: "§" + part + "§", after: [(Self.text, 3, "notes")]) == [3], "\(start)")
    }
  }

  @Test
  func `short content is traced only as a whole, and very short content is not traced`() {
    #expect(sources(of: "12345678", after: [("12345678", 1, "notes")]) == [1])
    #expect(sources(of: "12345679", after: [("12345678", 1, "notes")]) == [])
    #expect(sources(of: "1234567", after: [("1234567", 1, "notes")]) == [])
  }

  @Test func `content sent by an app has a source only if the app received it`() {
    #expect(sources(of: Self.text, from: "viewer", after: [(Self.text, 3, "notes")]) == [])
  }

  @Test
  func `the best source is listed first, and of equal sources only the first three and the last`() {
    let half = String(Self.text.prefix(Self.text.count / 2))
    #expect(
      sources(of: Self.text, after: [(Self.text, 3, "notes"), (half, 4, "notes")]) == [3, 4])
    #expect(
      sources(of: Self.text, after: [(Self.text, 3, "notes"), (Self.text, 4, "notes")]) == [3, 4])
    let many = (1...9).map { (Self.text, $0, "notes") }
    #expect(sources(of: Self.text, after: many) == [1, 2, 3, 9])
  }

  @Test func `a part of binary content is traced to its source, and empty content to none`() {
    let traces = ContentTraces()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    bytes.withUnsafeBytes { traces.handed($0, 9, to: "a") }
    bytes[50_000..<50_100].withUnsafeBytes { #expect(traces.sources(of: $0, from: "a") == [9]) }
    #expect(traces.sources(of: UnsafeRawBufferPointer(start: nil, count: 0), from: "a") == [])
  }
}
