import Output
@testable import Specification
import Testing
import TestSupport

@Suite struct AppSpecificationTests {
  @Test(
    arguments: table(
      """
      {
      => 1:2: error: expected a name in quotes, found the end of the file [specification]
      []
      => 1:1: error: a schema must be an object, found an array [specification]
      { "type": "string" }
      => 1:1: error: a configuration is a dictionary: its type must be `object` [specification]
      { "type": "objekt" }
      => 1:11: error: no type is called `objekt`; did you mean `object`? [specification]
      { "title": 1 }
      => 1:12: error: `title` must be a string, found `1` [specification]
      { "properties": { "a": { "minimum": "1" } } }
      => 1:37: error: `minimum` must be a number, found a string [specification]
      { "properties": { "a": { "minLength": -1 } } }
      => 1:39: error: `minLength` must be a whole number of 0 or more, found `-1` [specification]
      { "properties": { "a": { "minimum": 2, "maximum": 1 } } }
      => 1:24: error: a number cannot be from 2 to 1 [specification]
      { "properties": { "a": { "minimum": 5, "exclusiveMaximum": 5 } } }
      => 1:24: error: a number cannot be at least 5 and less than 5 [specification]
      { "properties": { "a": { "exclusiveMinimum": 5, "maximum": 5 } } }
      => 1:24: error: a number cannot be greater than 5 and at most 5 [specification]
      { "properties": { "a": { "minimum": 1, "exclusiveMinimum": 9, "maximum": 5 } } }
      => 1:24: error: a number cannot be at least 1 and greater than 9 and at most 5 [specification]
      { "properties": { "a": { "type": "integer", "exclusiveMinimum": 4, "exclusiveMaximum": 5 } } }
      => 1:24: error: a whole number cannot be greater than 4 and less than 5 [specification]
      { "properties": { "a": { "type": "integer", "minimum": 4.2, "maximum": 4.8 } } }
      => 1:24: error: a whole number cannot be from 4.2 to 4.8 [specification]
      { "properties": { "a": { "minItems": 2, "maxItems": 1 } } }
      => 1:24: error: the minimum 2 is above the maximum 1 [specification]
      { "properties": { "a": {}, "a": {} } }
      => 1:28: error: the name `a` appears twice [specification]
      { "properties": { "a": { "$ref": "#/$defs/b" } } }
      => 1:34: error: the target of `#/$defs/b` does not exist [specification]
      { "properties": { "a": { "$ref": "other.json" } } }
      => 1:34: error: `other.json` is outside the file; only references such as `#/$defs/name` are followed
         [specification]
      { "properties": { "a": { "$ref": "#" } } }
      => 1:34: error: `#` refers to itself, and configurations cannot nest infinitely [specification]
      { "x-managed-app": { "errorCodes": [ { "description": "d" } ] } }
      => 1:38: error: an error code needs its number, `code` [specification]
      { "x-managed-app": { "identities": [ { "description": "d" } ] } }
      => 1:38: error: a secret needs its `identifier` [specification]
      """))
  func `an invalid specification is rejected with its position`(text: String, error: String) {
    #expect(Samples.errors(text).first == "spec.json:\(error)")
  }

  @Test(arguments: [
    #""minimum": 5, "maximum": 5"#, #""exclusiveMinimum": 4, "exclusiveMaximum": 5"#,
    #""type": "integer", "exclusiveMinimum": 4, "maximum": 5"#,
    #""type": ["integer", "number"], "minimum": 4.2, "maximum": 4.8"#,
    #""type": "integer", "exclusiveMinimum": 9007199254740992, "maximum": 9007199254740994"#,
  ])
  func `minimum and maximum bounds are valid if some number satisfies both`(bounds: String) {
    #expect(Samples.errors("{ \"properties\": { \"a\": { \(bounds) } } }") == [])
  }

  @Test func `schema references that grow exponentially in a specification are rejected`() {
    let definitions = (0..<30).map { number in
      let next = "{ \"$ref\": \"#/$defs/d\(number + 1)\" }"
      return "\"d\(number)\": { \"properties\": { \"a\": \(next), \"b\": \(next) } }"
    }
    let text = "{ \"$defs\": { \(definitions.joined(separator: ", ")), \"d30\": {} } }"
    #expect(
      Samples.errors(text).first?.hasSuffix(
        "the file has more than 10000 schemas; each reference to a schema counts as one [specification]"
      ) == true)
  }

  @Test func `a long chain of schema references in a specification is rejected`() {
    let definitions = (0..<5_000).map { "\"d\($0)\": { \"$ref\": \"#/$defs/d\($0 + 1)\" }" }
    let text = "{ \"$defs\": { \(definitions.joined(separator: ", ")), \"d5000\": {} } }"
    #expect(
      Samples.errors(text).first?.hasSuffix(
        "schemas are nested deeper than 128 levels; each reference to a schema counts as a level [specification]"
      )
        == true)
  }

  @Test func `truncated specifications are rejected, and damaged specifications cause no crash`()
    throws
  {
    let bytes = try Samples.bytes(Samples.landmarks)
    #expect(throws: Never.self) { try AppSpecification(bytes, file: "s") }
    for end in stride(from: 0, to: bytes.count - 2, by: 7) {
      #expect(throws: SpecificationError.self) {
        try AppSpecification(Array(bytes[..<end]), file: "s")
      }
    }
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      var damaged = bytes
      let place = Int.random(in: bytes.indices, using: &generator)
      damaged[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
      let specification = try? AppSpecification(damaged, file: "s")
      #expect(specification?.markdown.isEmpty != true)
    }
  }

  @Test(
    arguments: table(
      """
      "a": { "title": "A", "maxLenght": 3 }
      => 3:22: warning: JSON Schema has no keyword `maxLenght`; did you mean `maxLength`? [unknownKeyword]
      "a": { "title": "A", "not": {} }
      => 3:22: warning: configurations are not checked for `not` [notChecked]
      "a": { "title": "A", "type": "string", "format": "iri", "examples": ["x"] }
      => 3:50: warning: strings are not checked for the format `iri`; did you mean `uri`? [notChecked]
      "a": { "title": "A", "type": "string", "pattern": "(?=x)", "examples": ["x"] }
      => 3:51: warning: strings are not checked for this pattern: it has `(?=`, which is not supported [notChecked]
      "a": { "title": "A", "type": "integer", "default": "x" }
      => 3:52: warning: the value does not conform to its schema: the configuration must be a whole number, found a string
         `x` [wrongExample]
      "a": { "title": "A", "type": ["string", "null"] }
      => 3:6: warning: a property list cannot contain null [noListForm]
      "a": { "type": "string" }
      => 3:1: note: the purpose of `a` is not described [undocumented]
      "licenseToken": { "title": "A", "type": "string" }
      => 3:1: warning: `licenseToken` appears to be a secret [secret]
      "isManaged": { "title": "A", "type": "boolean" }
      => 3:1: warning: `isManaged` appears to be a single switch for all managed behaviour [managedSwitch]
      "a ": { "title": "A", "type": "boolean" }
      => 3:1: error: the key `a ` is surrounded by white space [keyWhiteSpace]
      """))
  func `misspelt keywords, unchecked formats and other specification mistakes are findings`(
    properties: String, finding: String
  ) throws {
    let specification = try Samples.specification(properties)
    #expect(specification.findings.map(\.description) == ["spec.json:\(finding)"])
  }

  @Test func `unknown keys in the x-managed-app extension are reported`() throws {
    let specification = try Samples.specification(
      "", own: #""bundel": "a", "errorCodes": [ { "code": 1, "desc": "" } ]"#)
    #expect(
      specification.findings.map(\.description) == [
        "spec.json:1:1: note: the demo mode, for showing the app without management, is not described [noDemoMode]",
        "spec.json:4:23: warning: `x-managed-app` has no `bundel`; did you mean `bundle`? "
          + "[unknownKeyword]",
        "spec.json:4:54: note: the purpose of this entry is not described [undocumented]",
        "spec.json:4:67: warning: `x-managed-app` has no `desc` [unknownKeyword]",
      ])
  }

  @Test func `a required key that the specification does not define is a finding`() throws {
    let specification = try Samples.specification("", top: #""required": ["a"],"#)
    #expect(specification.findings.first?.rule == .requiredUnknown)
  }

  @Test func `a schema reference is replaced by its target, merged with the keys beside it`() throws
  {
    let specification = try Samples.specification(
      ##""a": { "$ref": "#/$defs/level", "title": "A" }, "b": { "$ref": "#/$defs/level", "maximum": 3 }"##,
      top:
        ##""$defs": { "level": { "title": "L", "type": "integer", "minimum": 1, "maximum": 9 } },"##
    )
    let lint = { Samples.lint(Samples.list($0), against: specification).count }
    #expect(lint("<key>a</key><integer>9</integer><key>b</key><integer>3</integer>") == 0)
    #expect(lint("<key>a</key><integer>10</integer>") == 1)
    #expect(lint("<key>b</key><integer>0</integer>") == 1)
    #expect(lint("<key>b</key><integer>4</integer>") == 1)
    #expect(specification.schema.properties.map(\.schema.title) == ["A", nil])
  }
}
