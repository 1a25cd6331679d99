import Adaptation
import Foundation
import SwiftSources
import Testing

/// Tests properties that hold for every file.
@Suite struct AdaptationLaws {
  static let samples: [String] = [
    "", "\n", "let a = 1", "@objc class A {}", "// only a comment",
    "@objc\r\nclass A {\r\n\t@IBAction  func f() { use(#selector(f)) }\r\n}\r\n",
    "@objc protocol P: Q {\r\n  @objc optional func f(x: Int)\r\n}",
    "class A { @objc /* why */ @IBOutlet var x: Int! }",
    "#if os(iOS)\n@objc\n#endif\nclass A {}",
    "let s = \"@objc #selector(f) é🎈\"",
    "\r\nimport os.log\r\n#if os(iOS)\r\nlet a = CurrentValueSubject<Int, Never>(1)\r\n#endif",
  ]

  static var all: [[UInt8]] {
    get throws {
      let texts = try samples + [golden("Player.swift.txt"), golden("Player.adapted.txt")]
      return texts.flatMap { [Array($0.utf8), ParsedSource.byteOrderMark + $0.utf8] }
    }
  }

  static func golden(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(contentsOf: folder.appendingPathComponent("Golden/\(name)"), encoding: .utf8)
  }

  @Test func `adapting is idempotent`() throws {
    for sample in try Self.all {
      let once = try Adapting.adapt(sample).contents
      #expect(try Adapting.adapt(once).contents == once)
    }
  }

  @Test func `adapted source code keeps its line numbers`() throws {
    for sample in try Self.all {
      let adapted = try Adapting.adapt(sample)
      let lines = sample.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      let new = adapted.contents.split(separator: 0x0A, omittingEmptySubsequences: false)
      #expect(new.count >= lines.count)
      for (old, new) in zip(lines, new) where old != new {
        // Only lines with Objective-C constructs, imports or conditions change.
        let text = String(decoding: old, as: UTF8.self)
        #expect(
          ["@", "#", "optional", "?", "protocol", "import"].contains { text.contains($0) },
          "\(text)")
      }
    }
  }

  @Test func `adapting does not change source code without Objective-C constructs`() throws {
    for sample in [
      "", "\u{FEFF}let a = 1 // é\r\n\r\n", "let a = \"@objc\"", "/* #selector(a) */",
      "\t\u{B}let b = 2",
    ] {
      #expect(try Adapting.adapt(sample).contents == Array(sample.utf8))
    }
  }

  @Test func `the adapted sample source matches its golden file`() throws {
    let adapted = try Adapting.text(Self.golden("Player.swift.txt"))
    #expect(adapted == (try Self.golden("Player.adapted.txt")))
  }
}
