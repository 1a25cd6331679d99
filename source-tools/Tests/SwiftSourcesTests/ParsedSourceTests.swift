import Output
import SwiftSources
import Testing

@Suite struct ParsedSourceTests {
  @Test(arguments: [
    ("let x = ", "a.swift:1:9: error: expected expression in variable [syntax]"),
    ("func f() {\n", "a.swift:1:11: error: expected `}` to end function [syntax]"),
    ("// é\r\nlet x = )", "a.swift:2:9: error: expected expression in variable [syntax]"),
  ])
  func `a syntax error has a position`(text: String, expected: String) {
    let faults = #expect(throws: SyntaxFaults.self) {
      try ParsedSource(Array(text.utf8), file: "a.swift")
    }
    #expect(faults?.diagnostics.first?.description == expected)
  }

  @Test func `invalid UTF-8 is an error with its position`() {
    let faults = #expect(throws: SyntaxFaults.self) {
      try ParsedSource(Array("let a = 1\n// ".utf8) + [0xFF], file: "a.swift")
    }
    #expect(
      faults?.diagnostics.map(\.description)
        == ["a.swift:2:4: error: not UTF-8; expected Swift source text [encoding]"])
  }

  @Test func `a byte order mark is ignored`() throws {
    let source = try ParsedSource(ParsedSource.byteOrderMark + "let a = 1".utf8, file: "a.swift")
    #expect(source.hasByteOrderMark)
    #expect(source.bytes == Array("let a = 1".utf8))
  }

  @Test(arguments: ["f()", "wipeData(forAccountId:)", "setIdentity(_:on:)"])
  func `a parsed method name prints as the same text`(name: String) {
    #expect(MethodName(name)?.description == name)
  }
}
