import Foundation
import Testing

@testable import Replay

@Suite struct SecretSearchTests {
  private static func finds(_ bytes: Data, in path: String, cutAt cuts: [Int] = []) -> Bool {
    var search = SecretSearch(in: [path])
    var start = 0
    for cut in cuts + [bytes.count] {
      search.scan(bytes[start..<cut])
      start = cut
    }
    return search.finish()
  }

  @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
  func `a private key is found across chunk boundaries`(_ encoding: String.Encoding) throws {
    let text = "a: |\n  -----BEGIN PRIVATE KEY-----\n  MIIB\n"
    let bytes = try #require(text.data(using: encoding))
    for first in 0..<bytes.count {
      #expect(Self.finds(bytes, in: "notes.yaml", cutAt: [first]))
      #expect(Self.finds(bytes, in: "notes.yaml", cutAt: [first, min(first + 3, bytes.count)]))
    }
  }

  @Test(arguments: [
    (#"{"wifi": {"PassWord": "x"}}"#, true), (#"{"a": ["the password is x"]}"#, true),
    (#"{"a": "\u0070assword"}"#, true), ("{ password, but no JSON", true), ("{}", false),
    ("", false),
  ])
  func `the secret search treats JSON that mentions a password as secret`(
    text: String, isSecret: Bool
  ) {
    #expect(Self.finds(Data(text.utf8), in: "settings.JSON") == isSecret)
    #expect(!Self.finds(Data(text.utf8), in: "settings.yaml"))
  }

  @Test func `the secret search reports oversized JSON files but not oversized programs`() {
    let bytes = Data(repeating: UInt8(ascii: " "), count: (16 << 20) + 1)
    #expect(Self.finds(bytes, in: "large.json"))
    #expect(!Self.finds(bytes, in: "program"))
  }

  @Test(arguments: ["a.p12", "A.PFX", "b.key", "c.p8"])
  func `secret files are recognised by name`(_ name: String) {
    #expect(Self.finds(Data(), in: name))
  }
}
