@testable import Bundle
import Encodings
import Foundation
import Output
import Testing
import TestSupport

/// Tests the parser of property lists: accepted input, positions and errors.
struct PropertyListTests {
  @Test func `property list values of every type are read`() throws {
    let list = try Lists.read(Lists.full)
    #expect(list["a & b"]?.string == "1 < 2 é \"é\"")
    #expect(list["cdata"]?.string == "a <b> & c")
    #expect(list["yes"] == PropertyListValue(.boolean(true)))
    #expect(list["no"] == PropertyListValue(.boolean(false)))
    #expect(list["integer"] == PropertyListValue(.integer(-7)))
    #expect(list["hexadecimal"] == PropertyListValue(.integer(31)))
    #expect(list["real"] == PropertyListValue(.real(1)))
    #expect(list["date"] == PropertyListValue(.date(791_553_600)))
    #expect(list["data"] == PropertyListValue(.data([0, 1, 2, 3])))
    #expect(list["empty"]?.string == "")
    #expect(list.value(at: ["nested", 0])?.string == "text\nof two lines")
    #expect(list["nested"]?.array?.map(\.noun) == ["a string", "a dictionary", "an array"])
    #expect(list["integer"] != PropertyListValue(.real(-7)))
  }

  @Test func `binary and XML property lists have equal values`() throws {
    let binary = try Lists.read(Lists.binary(Lists.full))
    #expect(binary.isBinary)
    #expect(try binary.top == Lists.read(Lists.full).top)
    #expect(binary.position(of: ["integer"]) == nil)
  }

  @Test(arguments: [false, true], [false, true])
  func `a property list in UTF-16 equals the same list in UTF-8`(bigEndian: Bool, hasMark: Bool)
    throws
  {
    let text = ListText(
      bytes: Lists.full, encoding: .utf16(bigEndian: bigEndian, hasMark: hasMark))
    let list = try Lists.read(text.stored(Lists.full))
    #expect(try list.top == Lists.read(Lists.full).top)
    #expect(list.text?.encoding == text.encoding)
    #expect(list.text?.bytes == Lists.full)
  }

  @Test func `property lists with a UTF-8 byte order mark or in ISO-8859-1 are decoded`() throws {
    let marked = [0xEF, 0xBB, 0xBF] + Lists.full
    #expect(try Lists.read(marked).top == Lists.read(Lists.full).top)
    let text = Lists.head.replacing("UTF-8", with: "ISO-8859-1")
    let latin =
      Array("\(text)<dict><key>k</key><string>".utf8) + [0xE9]
      + Array("</string></dict></plist>".utf8)
    #expect(try Lists.read(latin)["k"]?.string == "é")
    let list = try Lists.read(latin)
    #expect(list.text.map { $0.stored($0.bytes) } == latin)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `property list values have the line and column of their text in the file`(newline: String)
    throws
  {
    let text = String(decoding: Lists.full, as: UTF8.self).replacing("\n", with: newline)
    let list = try Lists.read(Array(text.utf8))
    #expect(list.position(of: ["a & b"]) == Position(line: 6, column: 3))
    #expect(list.position(ofValueAt: ["a & b"]) == Position(line: 7, column: 3))
    // The second `é` follows entities of several bytes and the decomposed form of the letter.
    #expect(
      list.position(ofValueAt: ["a & b"], offset: 10) == Position(line: 7, column: 33))
    #expect(list.position(of: ["nested", 1]) == Position(line: 24, column: 5))
    #expect(list.position(ofValueAt: ["nested", 0], offset: 5) == Position(line: 23, column: 1))
    #expect(list.position(of: ["nested", 9]) == Position(line: 20, column: 3))
    #expect(list.position(of: ["nowhere", "else"]) == Position(line: 4, column: 1))
  }

  static let refusals =
    table(
      """
      <array/>
      => : error: expected a dictionary at the top
      <dict>
      => :5:1: error: expected `</dict>`, which ends the `<dict>` of line 4, found `</plist>`
      <dict><key>a</key></dict>
      => :4:7: error: the key `a` has no value
      <dict><key>a</key><key>b</key><true/></dict>
      => :4:7: error: the key `a` has no value
      <dict><true/></dict>
      => :4:7: error: expected `<key>`, found `<true>`
      <dict>text</dict>
      => :4:7: error: text outside of a value
      <dict><key>a</key><sting>b</sting></dict>
      => :4:19: error: unknown element `<sting>`; did you mean `<string>`?
      <dict><key>a</key><set/></dict>
      => :4:19: error: unknown element `<set>`
      <array><key>a</key></array>
      => :4:8: error: a `<key>` outside of a dictionary
      <dict><key>a</key><string><true/></string></dict>
      => :4:27: error: `<true>` inside `<string>`
      <true/><true/>
      => :4:8: error: a second value; a list has exactly one value
      <dict><key>a</key><integer>1.5</integer></dict>
      => :4:19: error: expected an integer of 64 bits, found `1.5`
      <dict><key>a</key><integer>0x-5</integer></dict>
      => :4:19: error: expected an integer of 64 bits, found `0x-5`
      <dict><key>a</key><integer>9223372036854775808</integer></dict>
      => :4:19: error: expected an integer of 64 bits, found `9223372036854775808`
      <dict><key>a</key><real>x</real></dict>
      => :4:19: error: expected a number, found `x`
      <dict><key>a</key><date>today</date></dict>
      => :4:19: error: expected a date such as `2026-01-31T12:00:00Z`, found `today`
      <dict><key>a</key><string>R & D</string></dict>
      => :4:29: error: `&` must be written `&amp;`
      <dict><key>a</key><string>&nbsp;</string></dict>
      => :4:27: error: unknown entity `&nbsp;`: only `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`
         and numbers are known
      <dict><key>é</key><string>a</strin></dict>
      => :4:28: error: expected `</string>`, which ends the `<string>` of line 4, found `</strin>`
      <dict/></plist>text
      => :4:16: error: text after the end of the list
      """) + [
      ("", ":5:1: error: the list is empty")
    ]

  @Test(arguments: refusals)
  func `an invalid property list is rejected with position and reason`(
    body: String, message: String
  ) {
    #expect(Lists.refusal(of: Lists.xml(body)) == "a.plist\(message) [bundle]")
  }

  static let others: [(String, String)] = [
    ("", ": error: not a property list"), ("  \n", ": error: not a property list"),
    ("text", ": error: not a property list"), ("<html></html>", ": error: not a property list"),
    (
      "{ a = b; }",
      ": error: not an XML or binary property list; `plutil -convert xml1 a.plist` converts an "
        + "old-style or JSON list"
    ),
    ("bplist00", ": error: the binary property list is truncated or damaged"),
    ("<plist><dict>", ":1:14: error: the list is truncated: the `<dict>` of line 1 does not end"),
    ("<plist><dict/>", ":1:15: error: the list is truncated: the `<plist>` of line 1 does not end"),
    ("<?xml version=\"1.0\"?>\n", ":2:1: error: the list is truncated: `</plist>` is missing"),
  ]

  @Test(arguments: others)
  func `files in formats other than property lists are rejected with a reason`(
    text: String, message: String
  ) {
    #expect(Lists.refusal(of: Array(text.utf8)) == "a.plist\(message) [bundle]")
  }

  @Test
  func
    `an Info.plist with preprocessor directives is rejected with the command that preprocesses it`()
  {
    let body = "<dict>\n\t#ifdef MAM\n\t<key>b</key><string>é</string>\n\t#endif\n</dict>"
    #expect(
      Lists.refusal(of: Lists.xml(body))
        == "a.plist:5:2: error: `#ifdef` is for Xcode's preprocessor "
        + "(`INFOPLIST_PREPROCESS`); run it first: "
        + "`clang -E -P -x c -traditional-cpp -D NAME=VALUE a.plist | sluice bundle lint -` [bundle]"
    )
    let included = Array("\n#include \"values.h\"\n".utf8) + Lists.xml("<dict/>")
    #expect(Lists.refusal(of: included)?.hasPrefix("a.plist:2:1: error: `#include` is for") == true)
    #expect(
      Lists.refusal(of: Lists.xml("<dict>\n # if\n</dict>"))?.contains(":5:2: error: `#if`") == true
    )
    for body in ["<dict># if\n</dict>", "<dict>#iffy</dict>", "<dict>\n#</dict>"] {
      #expect(Lists.refusal(of: Lists.xml(body))?.contains("text outside of a value") == true)
    }
    #expect(Lists.refusal(of: Array("#".utf8)) == "a.plist: error: not a property list [bundle]")
  }

  @Test func `a dictionary without a plist element is read with a warning`() throws {
    let bytes = Array("<?xml version=\"1.0\"?>\n<dict><key>a</key><true/></dict>".utf8)
    let list = try Lists.read(bytes)
    #expect(list.dictionary.entries.map(\.key) == ["a"])
    #expect(
      list.findings.map(\.description) == [
        "a.plist:2:1: warning: the `<dict>` has no `<plist version=\"1.0\">` around it [listRoot]"
      ])
    let error = #expect(throws: BundleError.self) {
      try PropertyList(strictly: bytes, file: "a.plist")
    }
    #expect(error?.rule == .listRoot)
    for text in ["<array/>", "<string>a</string>", "<key>a</key>", "<dict/><dict/>"] {
      #expect(Lists.refusal(of: Array(text.utf8)) != nil)
    }
  }

  @Test func `entity declarations in a property list are rejected`() throws {
    let bomb = """
      <!DOCTYPE plist [
      <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">
      ]><plist><string>&c;&c;&c;</string></plist>
      """
    let refusal = try #require(Lists.refusal(of: Array(bomb.utf8)))
    #expect(refusal.contains("a.plist:2:"))
    #expect(refusal.contains("the list declares the entity `a`, which property lists do not need"))
    let outside =
      "<!DOCTYPE plist [<!ENTITY a SYSTEM \"/etc/passwd\">]><plist><string>&a;</string></plist>"
    #expect(Lists.refusal(of: Array(outside.utf8))?.contains("declares the entity `a`") == true)
  }

  @Test
  func `the last value of a duplicate key is used in XML, and the first in a binary property list`()
    throws
  {
    let list = try Lists.read(
      Lists.xml(
        "<dict>\n<key>a</key><string>1</string>\n<key>b</key><true/>\n"
          + "<key>a</key><string>2</string></dict>"))
    #expect(list.dictionary.entries.map(\.key) == ["b", "a"])
    #expect(list["a"]?.string == "2")
    #expect(list.position(of: ["a"]) == Position(line: 7, column: 1))
    #expect(
      list.findings.map(\.description) == [
        "a.plist:7:1: warning: the key `a` repeats the key on line 5; the last value is used "
          + "[repeatedKey]"
      ])
    // Apple's parser of binary property lists adds missing values.
    let binary = try Lists.read(
      Lists.binary(objects: [[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x09], [0x08]]))
    #expect(binary["a"] == PropertyListValue(.boolean(true)))
    #expect(
      binary.findings.map(\.description) == [
        "a.plist: warning: the key `a` occurs twice; in a binary property list, the first value is used "
          + "[repeatedKey]"
      ])
    #expect(throws: BundleError.self) {
      try PropertyList(
        strictly: Lists.xml("<dict><key>a</key><true/><key>a</key><true/></dict>"),
        file: "a.plist")
    }
  }

  static let data: [(String, [UInt8]?, String?)] = [
    ("AAEC\n\t AwQ=", [0, 1, 2, 3, 4], nil), ("AAECAw==", [0, 1, 2, 3], nil), ("", [], nil),
    ("AA-EC", [0, 1, 2], "the data contains `-`, which is not Base64 and is skipped"),
    (
      "AAECA", [0, 1, 2],
      "the data ends with `A`, an incomplete group of four characters, which is ignored"
    ),
    // Padding is valid only if nothing but padding and white space follows in its group.
    ("AA=B", [0, 0, 1], nil), ("AQ==AQ= =", [1, 1], nil),
    // The position is that of the entity, not of its value.
    (
      "AAE&amp;ww", [0, 1, 26, 0x9A, 0x9C, 0x30],
      "the data contains `&`, which is not Base64 and is skipped"
    ),
    ("AAECé", nil, nil), ("AA<!-- -->EC", nil, nil),
  ]

  @Test(arguments: data)
  func `base64 data in a property list is decoded as by Apple's parser`(
    text: String, bytes: [UInt8]?, warning: String?
  ) throws {
    let xml = Lists.xml("<dict><key>a</key><data>\(text)</data></dict>")
    guard let bytes else {
      #expect(Lists.refusal(of: xml)?.contains("expected Base64") == true)
      return
    }
    let list = try Lists.read(xml)
    #expect(list["a"] == PropertyListValue(.data(bytes)))
    #expect(
      list.findings.map(\.description)
        == (warning.map { ["a.plist:4:19: warning: \($0) [oddData]"] } ?? []))
  }

  @Test func `positions in a long line of a property list are correct`() throws {
    let text = String(repeating: "é𝄞x", count: 200)
    let list = try Lists.read(Lists.xml("<dict><key>a</key><string>\(text)</string></dict>"))
    for offset in stride(from: 0, to: 1400, by: 7) {
      let column = 27 + 3 * offset / 7
      #expect(
        list.position(ofValueAt: ["a"], offset: offset) == Position(line: 4, column: column))
    }
  }

  @Test func `nesting of property list values is limited`() throws {
    let body = { (depth: Int) in
      "<dict><key>a</key>" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</dict>"
    }
    #expect(Lists.refusal(of: Lists.xml(body(PropertyList.maximumDepth - 1))) == nil)
    let refusal = Lists.refusal(of: Lists.xml(body(100_000)))
    #expect(refusal?.contains("the list has more than 64 levels of nesting") == true)
    let binary = Lists.binary(objects: (1...100).map { [0xA1, $0] } + [[0x09]])
    #expect(Lists.refusal(of: binary)?.contains("more than 64 levels of nesting") == true)
  }

  @Test
  func `a binary property list with cycles, excessive sharing or non-string keys is rejected`() {
    let own = Lists.binary(objects: [[0xA1, 0]])
    #expect(Lists.refusal(of: own)?.contains("more than 64 levels of nesting") == true)
    let shared = Lists.binary(objects: (1...40).map { [0xA2, $0, $0] } + [[0x09]])
    #expect(Lists.refusal(of: shared)?.contains("more than 200000 values") == true)
    let number = Lists.binary(objects: [[0xD1, 1, 1], [0x10, 7]])
    #expect(
      Lists.refusal(of: number)?.contains("a key of a dictionary must be a string, found a number")
        == true)
  }

  @Test func `a property list truncated at any byte is rejected`() throws {
    for bytes in [Lists.full, try Lists.binary(Lists.full)] {
      // The last byte of the XML property list is a line break, which is optional.
      for count in 0..<bytes.count - 1 {
        let refusal = Lists.refusal(of: Array(bytes.prefix(count)))
        #expect(refusal != nil, "cut after \(count) bytes")
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `mutated property lists never crash the reader`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for original in [Lists.full, try Lists.binary(Lists.full)] {
      for _ in 0..<300 {
        var bytes = original
        for _ in 0...Int.random(in: 0..<4, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[index] = .random(in: 0...255, using: &random)
          case 1: bytes.remove(at: index)
          default:  // open: the last of the numbers
            bytes.insert(bytes[bytes.count - 1 - index], at: index)
          }
        }
        guard let list = try? Lists.read(bytes) else { continue }
        // Every parsed value must have its position in the file.
        if let text = list.text {
          #expect(list.top.range.upperBound <= text.bytes.count)
          #expect(text.bytes[list.top.range].starts(with: "<dict".utf8))
        }
      }
    }
  }
}
