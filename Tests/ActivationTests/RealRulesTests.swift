import Activation
import TestSupport
import Testing
import UniformTypes

@Suite(.enabled(if: RealRules.areThere, "the folder of real extensions is not there"))
struct RealRulesTests {
  @Test(
    arguments: [
      ("gifski-share.plist", Fixtures.movie, true), ("gifski-share.plist", Fixtures.image, false),
      ("gifski-share.plist", Fixtures.item("com.apple.m4v-video", "public.mpeg-4"), true),
      ("gifski-share.plist", Fixtures.item("public.mpeg-4", "public.png"), false),
      ("pdf-archiver-share.plist", Fixtures.pdf, true),
      ("pdf-archiver-share.plist", Fixtures.images, true),
      ("pdf-archiver-share.plist", Fixtures.text, false),
      ("pdf-archiver-share.plist", Fixtures.page, true),
      ("metatext-share.plist", Fixtures.image, true),
      ("metatext-share.plist", Fixtures.images, false),
      ("metatext-share.plist", Fixtures.text, true), ("metatext-share.plist", Fixtures.pdf, false),
      ("onionshare-action.plist", Fixtures.pdf, true),
      ("onionshare-action.plist", Fixtures.webURL, false),
    ])
  func `published rules match the items that their extensions support`(
    file: String, item: SharedItem, matches: Bool
  ) throws {
    let rule = try RealRules.rule(file)
    #expect(rule.matches([item], types: .system) == matches)
    #expect(rule.explain([item], types: .system).verdict == (matches ? .holds : .fails))
    let rewritten = try rule.rewritten()
    #expect(rewritten.matches([item], types: .system) == matches)
    #expect(rewritten.matches(Fixtures.twins(of: [item]), types: .system) == matches)
    #expect(!rule.matches(Fixtures.twins(of: [item]), types: .system))
  }

  @Test func `a multi-line rule is printed on one line and parses to an equal rule`() throws {
    for file in ["gifski-share.plist", "pdf-archiver-share.plist"] {
      guard case .predicate(let predicate) = try RealRules.rule(file) else { continue }
      #expect(try Predicate(parsing: predicate.description) == predicate)
      #expect(!predicate.description.contains("\n"))
    }
  }

  @Test func `mutated published rules are parsed or rejected`() throws {
    var generator = SeededGenerator(seed: 8)
    for file in ["gifski-share.plist", "pdf-archiver-share.plist"] {
      guard case .predicate(let predicate) = try RealRules.rule(file) else { continue }
      for _ in 0..<200 * thoroughness {
        var bytes = Array(predicate.source.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          if generator.once(in: 2) {
            bytes.remove(at: place)
          } else {
            bytes[place] = UInt8.random(in: 0...255, using: &generator)
          }
        }
        try FuzzTests.read(String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
