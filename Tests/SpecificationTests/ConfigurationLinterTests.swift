import Encodings
import Foundation
import Output
import Specification
import Testing
import TestSupport

@Suite struct ConfigurationLinterTests {
  private static let properties = """
    "account": {
      "type": "object", "required": ["user"], "additionalProperties": false,
      "properties": { "user": { "type": "string" }, "level": { "type": "integer" } }
    },
    "domain": { "type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]" },
    "mode": { "enum": ["light", "dark"] },
    "size": { "type": "number", "exclusiveMinimum": 0, "maximum": 4, "multipleOf": 0.5 },
    "on": { "type": "boolean" },
    "since": { "type": "string", "format": "date-time" },
    "image": { "type": "string", "contentEncoding": "base64" },
    "site": { "type": "string", "format": "uri" },
    "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 2, "uniqueItems": true },
    "limits": { "type": "object", "additionalProperties": { "type": "integer" } },
    "old": { "type": "string", "deprecated": true, "description": "use `domain`" },
    "either": { "oneOf": [ { "type": "integer", "minimum": 5 }, { "type": "string" } ] }
    """

  @Test(
    arguments: table(
      """
      <key>on</key><string>yes</string>
      => 2:14: error: `on` must be a boolean, found a string `yes`; write true, not a string [wrongType]
      <key>on</key><integer>1</integer>
      => 2:14: error: `on` must be a boolean, found a number `1`; write true [wrongType]
      <key>size</key><string>2</string>
      => 2:16: error: `size` must be a number, found a string `2`; write a number, not a string [wrongType]
      <key>since</key><string>2026-01-31T12:00:00Z</string>
      => 2:17: error: `since` must be a date, found a string `2026-01-31T12:00:00Z` [wrongType]
      <key>image</key><string>AAAA</string>
      => 2:17: error: `image` must be data, found a string `AAAA` [wrongType]
      <key>size</key><real>4.5</real>
      => 2:16: error: `size` must be greater than 0 and at most 4, found `4.5` [outOfRange]
      <key>size</key><integer>0</integer>
      => 2:16: error: `size` must be greater than 0 and at most 4, found `0` [outOfRange]
      <key>size</key><real>0.7</real>
      => 2:16: error: `size` must be a multiple of 0.5, found `0.7` [outOfRange]
      <key>mode</key><string>drak</string>
      => 2:16: error: `mode` is not among the values that the specification lists: `light`, `dark`, found `drak`; did
         you mean `dark`? [notListed]
      <key>domain</key><string>a</string>
      => 2:18: error: `domain` must have 2 to 9 characters, found 1 [wrongText]
      <key>domain</key><string>Abc</string>
      => 2:18: error: `domain` must match `^[a-z]`, found `Abc` [wrongText]
      <key>site</key><string>example.com</string>
      => 2:16: error: `site` must be a URI with its scheme, such as `https://example.com`, found `example.com`
         [wrongText]
      <key>tags</key><array><string>a</string><string>a</string></array>
      => 2:41: error: `tags` must not have an element twice, found `a` [wrongCount]
      <key>tags</key><array><string>a</string><string>b</string><string>c</string></array>
      => 2:16: error: `tags` must have at most 2 elements, found 3 [wrongCount]
      <key>tags</key><array>
      <string>a</string>
      <true/></array>
      => 4:1: error: `tags > item 2` must be a string, found a boolean `true` [wrongType]
      <key>limits</key><dict>
      <key>any</key><string>3</string></dict>
      => 3:15: error: `limits > any` must be a whole number, found a string `3`; write a number, not a string
         [wrongType]
      <key>account</key><dict><key>level</key><integer>1</integer></dict>
      => 2:1: error: the key `account > user` is missing [missingKey]
      <key>account</key><dict>
      <key>user</key><string>a</string>
      <key>levle</key><integer>1</integer></dict>
      => 4:1: error: the specification has no key `account > levle`; did you mean `level`? [unknownKey]
      <key>Domain</key><string>abc</string>
      => 2:1: warning: the specification has no key `Domain`; did you mean `domain`? [unknownKey]
      <key>colour</key><string>red</string>
      => 2:1: warning: the specification has no key `colour` [unknownKey]
      <key>domain </key><string>abc</string>
      => 2:1: error: the key `domain ` is surrounded by white space; did you mean `domain`? [keyWhiteSpace]
      <key>old</key><string>abc</string>
      => 2:1: warning: `old` is deprecated: use `domain` [deprecated]
      <key>either</key><integer>4</integer>
      => 2:18: error: `either` must be at least 5, found `4` [outOfRange]
      <key>either</key><true/>
      => 2:18: error: `either` matches none of the 2 alternatives of the specification, found `true` [alternatives]
      """))
  func `a mistake in a configuration is reported at its position`(body: String, finding: String)
    throws
  {
    #expect(try Samples.lint(body, against: Self.properties) == ["c:\(finding)"])
  }

  @Test func `a valid configuration has no findings`() throws {
    let body = """
      <key>account</key><dict><key>user</key><string>anna</string></dict>
      <key>domain</key><string>abc</string><key>mode</key><string>dark</string>
      <key>size</key><integer>4</integer><key>on</key><false/>
      <key>since</key><date>2026-01-31T12:00:00Z</date><key>image</key><data>AAAA</data>
      <key>site</key><string>https://example.com</string><key>tags</key><array/>
      <key>limits</key><dict><key>any</key><real>3</real></dict><key>either</key><string/>
      """
    #expect(try Samples.lint(body, against: Self.properties) == [])
  }

  @Test func `a configuration value that matches two alternatives of oneOf is an error`() throws {
    let properties = #""a": { "oneOf": [ { "type": "integer" }, { "type": "number" } ] }"#
    #expect(
      try Samples.lint("<key>a</key><integer>1</integer>", against: properties) == [
        "c:2:13: error: `a` matches 2 alternatives of the specification, but only one may match [alternatives]"
      ])
    #expect(
      try Samples.lint(
        "<key>a</key><integer>1</integer>",
        against: properties.replacing("oneOf", with: "anyOf")) == [])
  }

  // MARK: The wrapper

  @Test func `a wrapper around the configuration is reported, and the wrapped keys are checked`()
    throws
  {
    let body = """
      <key>configuration</key>
      <dict>
      <key>domain</key><string>a</string>
      <key>mode</key><string>dark</string>
      </dict>
      """
    #expect(
      try Samples.lint(body, against: Self.properties) == [
        "c:2:1: error: everything is inside `configuration`, but the app looks for `domain`, `mode` "
          + "at the top [wrapper]",
        "c:4:18: error: `configuration > domain` must have 2 to 9 characters, found 1 [wrongText]",
      ])
  }

  @Test
  func `an unknown key around the whole configuration counts as a wrapper, whatever its name`()
    throws
  {
    let inner = "<dict><key>mode</key><string>dark</string></dict>"
    let rules = { (body: String) in
      try ConfigurationLinter.lint(
        Samples.list(body), file: "c", against: Samples.specification(Self.properties)
      ).map(\.rule)
    }
    #expect(try rules("<key>AppConfig</key>\(inner)") == [.wrapper])
    #expect(try rules("<key>AppConfig</key>\(inner)<key>on</key><true/>") == [.unknownKey])
    #expect(try rules("<key>configuration</key>\(inner)<key>on</key><true/>") == [.wrapper])
    #expect(try rules("<key>account</key><dict><key>user</key><string/></dict>") == [])
  }

  @Test func `a wrapper around only a part of the configuration is reported`() throws {
    let text = """
      { "configuration": { "mode": "dark", "mode": "light" },
        "on": true }
      """
    let findings = Samples.lint(
      Array(text.utf8), against: try Samples.specification(Self.properties))
    #expect(
      findings.contains(
        "c:1:3: error: keys are inside `configuration`, but the app looks for `mode` at the top "
          + "[wrapper]"), "\(findings)")
  }

  @Test func `a key named configuration is not a wrapper if the specification defines it`() throws {
    let properties = #""configuration": { "type": "object" }"#
    #expect(
      try Samples.lint("<key>configuration</key><dict/>", against: properties) == [])
  }

  // MARK: Best practices

  @Test func `a secret is found by its key, and its value is not printed`() throws {
    let properties = #""serverPassword": { "type": "string", "maxLength": 3 }"#
    let findings = try Samples.lint(
      "<key>serverPassword</key><string>hunter2</string>", against: properties)
    #expect(
      findings == [
        "c:2:1: warning: `serverPassword` appears to be a secret [secret]",
        "c:2:26: error: `serverPassword` must have at most 3 characters, found 7 [wrongText]",
      ])
    let wrong = try Samples.lint(
      "<key>serverPassword</key><string>hunter2</string>",
      against: #""serverPassword": { "enum": ["hunter3"], "type": "integer" }"#)
    #expect(!wrong.joined().contains("hunter2"))
  }

  @Test func `for a secret, the managed app's passwords are suggested instead`() throws {
    let specification = try Samples.specification(
      "", own: #""demoMode": "d", "passwords": [ { "identifier": "vpn", "description": "d" } ]"#)
    let findings = Samples.lint(
      Samples.list("<key>apiKey</key><string>x</string>"), against: specification)
    #expect(
      findings.first?.hasSuffix(
        "`apiKey` appears to be a secret; the app looks up the passwords `vpn` [secret]")
        == true)
  }

  @Test func `a configuration key that only switches managed mode on is reported`() throws {
    let findings = try Samples.lint(
      "<key>managedMode</key><true/>", against: #""managedMode": { "type": "boolean" }"#)
    #expect(findings.map { $0.hasSuffix("[managedSwitch]") } == [true])
  }

  @Test(
    arguments: [(16_000, nil), (17_000, .large), (1_000_001, .tooLarge)]
      as [(Int, SpecificationRule?)])
  func `a configuration above the limit of 16 KiB or of 1 MB is reported`(
    size: Int, rule: SpecificationRule?
  ) throws {
    let start = "<plist><dict><key>a</key><string>"
    let end = "</string></dict></plist>"
    let filler = String(repeating: "x", count: size - start.utf8.count - end.utf8.count)
    let findings = ConfigurationLinter.lint(
      Array((start + filler + end).utf8), file: "c",
      against: try Samples.specification(#""a": { "type": "string" }"#))
    #expect(findings.map(\.rule) == [rule].compactMap(\.self))
    #expect(findings.allSatisfy { $0.position == nil })
  }

  /// The number of findings is elements times keys, at the top level and in each alternative.
  @Test(arguments: [(1, true), (3, false), (20, true)])
  func `a configuration with too many findings gets a final tooMany finding`(
    alternatives: Int, areTooMany: Bool
  ) throws {
    let items =
      alternatives == 1
      ? "{ ITEM }"
      : #"{ "anyOf": [\#(Array(repeating: "{ ITEM }", count: alternatives).joined(separator: ","))] }"#
    let keys = (0..<60).map { #""key\#($0)""# }.joined(separator: ", ")
    let item = #""type": "object", "required": [\#(keys)]"#
    let schema = items.replacingOccurrences(of: "ITEM", with: item)
    let elements = String(repeating: "<dict/>", count: 1_000)
    let findings = try Samples.lint(
      "<key>list</key><array>\(elements)</array>",
      against: #""list": { "type": "array", "items": \#(schema) }"#)
    #expect(findings.count <= 10_001)
    #expect(findings.contains { $0.contains("[tooMany]") } == areTooMany)
  }

  // MARK: Files

  @Test(
    arguments: [
      ("", "c: error: not a property list [unreadable]"),
      ("[1]", "c:1:1: error: expected an object at the top, found an array [unreadable]"),
      ("{ \"a\": }", "c:1:8: error: expected a value, found `}` [unreadable]"),
      (
        "<plist><array/></plist>", "c: error: expected a dictionary at the top [unreadable]"
      ),
    ])
  func `a file that is not a configuration has one finding with the reason`(
    text: String, finding: String
  ) throws {
    let specification = try Samples.specification("")
    #expect(Samples.lint(Array(text.utf8), against: specification) == [finding])
  }

  @Test func `findings in a JSON configuration state their line and column`() throws {
    let text = """
      { "mode": "drak",
        "since": "2026-01-31T12:00:00Z", "image": "AAAA",
        "tags": ["a",
          7],
        "on": true, "on": null }
      """
    let findings = Samples.lint(
      Array(text.utf8), against: try Samples.specification(Self.properties))
    #expect(
      findings == [
        "c:1:11: error: `mode` is not among the values that the specification lists: `light`, `dark`, "
          + "found `drak`; did you mean `dark`? [notListed]",
        "c:4:5: error: `tags > item 2` must be a string, found a number `7` [wrongType]",
        "c:5:15: error: the key `on` appears twice [duplicateKey]",
        "c:5:21: error: `on` is null, which a property list cannot contain [wrongType]",
      ])
  }

  @Test func `a binary property list has findings without positions`() throws {
    let bytes = try #require(
      try? PropertyListSerialization.data(
        fromPropertyList: ["mode": "drak"], format: .binary, options: 0))
    let findings = Samples.lint(Array(bytes), against: try Samples.specification(Self.properties))
    #expect(
      findings == [
        "c: error: `mode` is not among the values that the specification lists: `light`, `dark`, found "
          + "`drak`; did you mean `dark`? [notListed]"
      ])
  }

  @Test
  func `truncated configurations are unreadable, and damaged configurations are still linted`()
    throws
  {
    let specification = try AppSpecification(
      Samples.bytes(Samples.landmarks), file: Samples.landmarks)
    let bytes = try Samples.bytes("examples/landmarks/configuration.plist")
    for end in 0..<bytes.count - "</plist>\n".utf8.count {
      let findings = ConfigurationLinter.lint(
        Array(bytes[..<end]), file: "c", against: specification)
      #expect(findings.map(\.rule) == [.unreadable], "cut at \(end)")
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var damaged = bytes
      damaged[Int.random(in: bytes.indices, using: &generator)] =
        UInt8.random(in: 0x20...0x7E, using: &generator)
      let findings = ConfigurationLinter.lint(damaged, file: "c", against: specification)
      #expect(findings.allSatisfy { $0.file == "c" && !$0.message.isEmpty })
    }
  }

  @Test(.timeLimit(.minutes(15)))
  func `all unknown keys in a large configuration are reported with their lines`() throws {
    let body = (0..<2_000).map { "<key>k\($0)</key><string>\($0)</string>\n" }.joined()
    let findings = ConfigurationLinter.lint(
      Samples.list(body), file: "c", against: try Samples.specification(Self.properties))
    #expect(findings.map(\.rule) == [.large] + Array(repeating: .unknownKey, count: 2_000))
    #expect(findings.dropFirst().map { $0.position?.line } == Array(2..<2_002))
  }
}
