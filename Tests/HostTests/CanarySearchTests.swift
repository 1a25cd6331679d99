internal import Foundation
internal import TestSupport
internal import Testing

@testable import Host

@Suite struct CanarySearchTests {
  private static let secret = "Quarterly figures: 47 % – für Anna?"

  private func search(_ text: String, _ kind: Canary.Kind = .content) -> CanarySearch {
    CanarySearch(Needle.all(for: Canary(kind: kind, text: text), number: 0))
  }

  private func encodings(_ bytes: some Sequence<UInt8>, _ search: CanarySearch) -> Set<String> {
    Set(search.hits(in: Array(bytes)).map { search.needles[$0.needle].encoding.rawValue })
  }

  /// As others encode, not as the search does.
  static let encoded: [(String, [UInt8])] = [
    ("utf8", Array(secret.utf8)),
    ("utf16", Array(secret.data(using: .utf16LittleEndian) ?? Data())),
    ("utf16", Array(secret.data(using: .utf16BigEndian) ?? Data())),
    ("hex", Array(secret.utf8.map { String(format: "%02x", $0) }.joined().utf8)),
    ("hex", Array(secret.utf8.map { String(format: "%02X", $0) }.joined().utf8)),
    (
      "percent",
      Array(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)?.utf8 ?? "".utf8)
    ),
    (
      "percent",
      Array(
        secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)?.lowercased()
          .replacingOccurrences(of: "%20", with: "+")
          .replacingOccurrences(of: "quarterly", with: "Quarterly")
          .replacingOccurrences(of: "anna", with: "Anna").utf8 ?? "".utf8)
    ),
  ]

  @Test(arguments: encoded)
  func `a canary is found as it is encoded`(encoding: String, bytes: [UInt8]) {
    let found = search(Self.secret)
    #expect(encodings("before ".utf8 + bytes + " behind".utf8, found) == [encoding])
    #expect(encodings(bytes.dropLast(2), found) == [])
  }

  @Test(arguments: 0..<6, 0..<3)
  func `a canary in base64 is found wherever it begins`(before: Int, behind: Int) {
    let odd = "\u{3FF}?>~\u{FF}" + Self.secret
    let found = search(odd)
    let whole =
      Data(repeating: 0xEE, count: before) + Data(odd.utf8)
      + Data(repeating: 0x99, count: behind)
    let text = whole.base64EncodedString()
    #expect(encodings(text.utf8, found) == ["base64"])
    let forURLs = text.replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_")
    #expect(text != forURLs)
    #expect(encodings(forURLs.utf8, found) == ["base64"])
  }

  @Test func `names are found in any casing, content only as it is`() {
    for text in ["anna@contoso.com", "ANNA@contoso.COM", "Anna@Contoso.com"] {
      #expect(encodings(text.utf8, search("Anna@Contoso.com", .upn)) == ["utf8"])
    }
    let wide = Array("ANNA@contoso.COM".data(using: .utf16LittleEndian) ?? Data())
    #expect(encodings(wide, search("anna@contoso.com", .upn)) == ["utf16"])
    #expect(encodings("ANNA%40Contoso.com".utf8, search("anna@contoso.com", .upn)) == ["percent"])
    #expect(encodings("QUARTERLY".utf8, search("Quarterly")) == [])
    #expect(encodings("Quarterly".utf8, search("Quarterly")) == ["utf8"])
  }

  @Test func `what is across pieces is found, wherever they are cut`() {
    let found = search(Self.secret)
    let bytes = Array("....\(Self.secret)....".utf8)
    for size in 1...bytes.count {
      var scan = CanarySearch.Scan(found)
      var hits: [CanarySearch.Hit] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
          scan.take($0) { hits.append($0) }
        }
      }
      #expect(hits.map(\.offset) == [4], "pieces of \(size)")
    }
  }

  /// Against a search that looks everywhere for everything.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `many needles at once are found as one by one`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func text(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in Array("aAbBc".utf8).randomElement(using: &generator) ?? 0 }
    }
    var needles: [Needle] = []
    for number in 0..<8 {
      let ignoresCase = Bool.random(using: &generator)
      let bytes = text(.random(in: 1...5, using: &generator))
      needles.append(
        Needle(
          canary: number, encoding: .utf8, bytes: ignoresCase ? bytes.map(\.folded) : bytes,
          ignoresCase: ignoresCase))
    }
    let bytes = text(120)
    var expected: Set<CanarySearch.Hit> = []
    for (number, needle) in needles.enumerated() {
      for start in 0...(bytes.count - needle.bytes.count) {
        let piece = bytes[start..<(start + needle.bytes.count)]
        let isThere =
          needle.ignoresCase
          ? piece.map(\.folded) == needle.bytes : Array(piece) == needle.bytes
        if isThere { expected.insert(CanarySearch.Hit(needle: number, offset: start)) }
      }
    }
    var scan = CanarySearch.Scan(CanarySearch(needles))
    var hits: [CanarySearch.Hit] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(.random(in: 1...30, using: &generator))
      piece.withUnsafeBytes { scan.take($0) { hits.append($0) } }
      rest = rest.dropFirst(piece.count)
    }
    #expect(Set(hits) == expected)
    #expect(hits.count == expected.count)
  }

  @Test func `no needle, no hit`() {
    #expect(CanarySearch([]).hits(in: Array("anything".utf8)) == [])
    #expect(Needle.all(for: Canary(kind: .content, text: "abc"), number: 0).count == 3)
    #expect(CanarySearch([]).hits(in: []) == [])
  }
}
