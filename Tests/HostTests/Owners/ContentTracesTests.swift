import Testing

@testable import Host

/// Content that comes back without its tag, found again by its fingerprints.
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

  @Test func `content is found whole, in a part, and within something else`() {
    let handed = [(Self.text, 3, "notes")]
    #expect(sources(of: Self.text, after: handed) == [3])
    #expect(sources(of: String(Self.text.dropFirst(20).prefix(60)), after: handed) == [3])
    #expect(sources(of: "Look: " + Self.text.prefix(80) + " and so on", after: handed) == [3])
    #expect(
      sources(of: "Something else altogether, of no less than some length.", after: handed) == [])
  }

  /// Every part of that length, wherever it begins.
  @Test func `a part of a piece and a window is always found`() {
    let count = ContentTraces.pieceCount + ContentTraces.window - 1
    let bytes = Array(Self.text.utf8)
    for start in 0...(bytes.count - count) {
      let part = String(decoding: bytes[start..<start + count], as: UTF8.self)
      #expect(sources(of: "§" + part + "§", after: [(Self.text, 3, "notes")]) == [3], "\(start)")
    }
  }

  @Test func `short content is found as a whole, and the shortest not at all`() {
    #expect(sources(of: "12345678", after: [("12345678", 1, "notes")]) == [1])
    #expect(sources(of: "12345679", after: [("12345678", 1, "notes")]) == [])
    #expect(sources(of: "1234567", after: [("1234567", 1, "notes")]) == [])
  }

  @Test func `an app is found to hand on what it has, and nothing that others have`() {
    #expect(sources(of: Self.text, from: "viewer", after: [(Self.text, 3, "notes")]) == [])
  }

  @Test func `the item with most in common comes first, and none is forgotten for a later one`() {
    let half = String(Self.text.prefix(Self.text.count / 2))
    #expect(
      sources(of: Self.text, after: [(Self.text, 3, "notes"), (half, 4, "notes")]) == [3, 4])
    #expect(
      sources(of: Self.text, after: [(Self.text, 3, "notes"), (Self.text, 4, "notes")]) == [3, 4])
    let many = (1...9).map { (Self.text, $0, "notes") }
    #expect(sources(of: Self.text, after: many) == [1, 2, 3, 9])
  }

  @Test func `bytes need be no text, and none is one too many`() {
    let traces = ContentTraces()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    bytes.withUnsafeBytes { traces.handed($0, 9, to: "a") }
    bytes[50_000..<50_100].withUnsafeBytes { #expect(traces.sources(of: $0, from: "a") == [9]) }
    #expect(traces.sources(of: UnsafeRawBufferPointer(start: nil, count: 0), from: "a") == [])
  }
}
