import Encodings
import Testing

@testable import Scenario

/// Tests the reading of steps for a running device. One reader reads three notations.
@Suite struct StepReaderTests {
  private static let scenario = """
    accounts:
      anna: { upn: anna@contoso.com }
    apps:
      mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, signedIn: [anna] }
      viewer: { bundle: org.example.viewer }
    steps:
      - launch: mail

    """

  private let reader: StepReader

  init() throws {
    reader = StepReader(try Scenario.read(Self.scenario, file: "scenario.yaml"))
  }

  @Test(arguments: [
    ("launch: [mail, viewer]", ["launch", "mail", "viewer"]),
    ("launch: mail", ["launch", "mail"]),
    ("advance: PT1H", ["advance", "PT1H"]),
    ("{ advance: PT1H, repeat: 3 }", ["advance", "PT1H", "repeat=3"]),
    (
      "{ share: { from: mail, to: viewer, text: a = b }, as: anna, expect: { verdict: blocked } }",
      ["share", "from=mail", "to=viewer", "text=a = b", "as=anna", "expect.verdict=blocked"]
    ),
    (
      "switchIdentity: { app: mail, to: anna, window: inbox }",
      ["switchIdentity", "app=mail", "to=anna", "window=inbox"]
    ),
    (
      "{ copy: { app: mail, text: '12' }, window: inbox }",
      ["copy", "app=mail", "text=12", "window=inbox"]
    ),
    (
      "share: { from: mail, to: viewer, file: { name: a.pdf, text: x } }",
      ["share", "from=mail", "to=viewer", "file.name=a.pdf", "file.text=x"]
    ),
    ("copy: { app: mail, text: '007' }", ["copy", "app=mail", "text=007"]),
    ("copy: { app: mail, text: '+5' }", ["copy", "app=mail", "text=+5"]),
    ("switchIdentity: { app: mail, to: anna }", ["switchIdentity", "app=mail", #"to=["anna"]"#]),
  ])
  func `a step has the same meaning in YAML, JSON and command-line words`(
    yaml: String, words: [String]
  ) throws {
    let meant = try reader.step(yaml: yaml).step
    let json = try #require(StepLine.json(words))
    for step in [
      try reader.step(yaml: json).step, try reader.step(json: try JSONReader.read(json)).step,
    ] {
      #expect(step.action == meant.action)
      #expect(step.task == meant.task)
      #expect(step.count == meant.count)
      #expect(step.expectation == meant.expectation)
    }
  }

  @Test(arguments: [
    (#"{"launch":"male"}"#, ScenarioError.Code.unknownName),
    (#"{"launch":"mail","launch":"viewer"}"#, .duplicateKey),
    (#"{"launch":"mail","stop":"mail"}"#, .conflictingKeys),
    (#"{"lunch":"mail"}"#, .unknownKey), ("7", .wrongType), ("{}", .missingKey),
    (#"{"advance":null}"#, .wrongType),
  ])
  func `an invalid step is rejected`(json: String, code: ScenarioError.Code) throws {
    let value = try JSONReader.read(json)
    let error = #expect(throws: ScenarioErrors.self) { try reader.step(json: value) }
    #expect(error?.errors.first?.code == code)
  }

  @Test func `all errors of a step are reported, in order`() {
    let error = #expect(throws: ScenarioErrors.self) {
      try reader.step(yaml: "share: { from: male, too: viewer, text: 1 }")
    }
    #expect(error?.errors.map(\.code) == [.unknownName, .unknownKey])
    #expect(error?.errors.map(\.file) == ["step", "step"])
  }

  @Test func `a step with YAML that is nested too deeply is rejected`() throws {
    let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let value = try JSONReader.read(#"{"launch":\#(text)}"#)
    let error = #expect(throws: ScenarioErrors.self) { try reader.step(json: value) }
    #expect(error?.errors.first?.code == .tooLarge)
  }

  @Test func `the number of values in a step is limited`() throws {
    let launches = Array(repeating: #"{"launch":"mail"}"#, count: 2_100).joined(separator: ",")
    let text = #"{"concurrently":[\#(launches)]}"#
    let value = try JSONReader.read(text)
    let errors = [
      #expect(throws: ScenarioErrors.self) { try reader.step(json: value) },
      #expect(throws: ScenarioErrors.self) { try reader.step(yaml: text) },
      #expect(throws: ScenarioErrors.self) {
        try reader.step(
          yaml: "concurrently: [\(Array(repeating: "&a { launch: mail }", count: 1).joined())"
            + String(repeating: ", *a", count: 2_100) + "]")
      },
    ]
    for error in errors { #expect(error?.errors.first?.code == .tooLarge) }
  }

  @Test func `the length of a step's text is limited`() throws {
    let marks = String(repeating: "\u{301}", count: 33_000)
    let word = String(repeating: "m", count: 1_000)
    let texts = [
      #"{"share":{"from":"mail","to":"viewer","text":"\#(marks)"}}"#,
      #"{"launch":[\#(Array(repeating: "\"\(word)\"", count: 66).joined(separator: ","))]}"#,
      #"{"\#(marks)":1}"#,
    ]
    for text in texts {
      let value = try JSONReader.read(text)
      let error = #expect(throws: ScenarioErrors.self) { try reader.step(json: value) }
      #expect(error?.errors.first?.code == .tooLarge)
      let again = #expect(throws: ScenarioErrors.self) { try reader.step(yaml: text) }
      #expect(again?.errors.first?.code == .tooLarge)
    }
    let aliases = #expect(throws: ScenarioErrors.self) {
      try reader.step(yaml: "launch: [&a \(word)\(String(repeating: ", *a", count: 65))]")
    }
    #expect(aliases?.errors.first?.code == .tooLarge)
  }

  /// The device reads steps on the thread that serves its guests.
  @Test func `at most 2,000 errors of a step are reported`() throws {
    let keys = (0..<4_000).map { "from\($0)" }
    for text in [
      "share: {\(keys.map { "\($0): 1" }.joined(separator: ", "))}",
      "{\"share\":{\(keys.map { "\"\($0)\":1" }.joined(separator: ","))}}",
    ] {
      let error = #expect(throws: ScenarioErrors.self) { try reader.step(yaml: text) }
      let errors = try #require(error).errors
      #expect(errors.count == 2_000)
      #expect(errors.allSatisfy { $0.code == .unknownKey })
      #expect(errors.last?.message.hasPrefix("a share has no key `from1999`") == true)
    }
  }

  @Test func `an error about an overlong text has the text's position`() throws {
    func read(_ count: Int) throws(InputError) -> YAMLValue {
      try YAMLReader.read("a: 1\nb: \(String(repeating: "m", count: count))")
    }
    _ = try read(YAMLAllowance.longestText)
    let error = #expect(throws: InputError.self) { try read(YAMLAllowance.longestText + 1) }
    #expect(error?.code == .tooLarge && error?.position == Position(line: 2, column: 4))
    #expect(error?.message == "the text has 15728641 bytes; the maximum is 15728640")
  }

  @Test func `JSON escapes in a step are decoded`() throws {
    let step = try reader.step(yaml: #"{"copy": {"app": "mail", "text": "\ud83d\ude00"}}"#).step
    #expect(step.action.detail.text.contains("😀"))
  }

  @Test func `a step text with several steps is rejected`() throws {
    #expect(throws: ScenarioErrors.self) {
      try reader.step(yaml: "- launch: mail\n- launch: viewer")
    }
  }

  @Test(arguments: [
    (#"a  b"#, ["a", "b"]), (#"text="a b" c"#, ["text=a b", "c"]), (#"'it''s' """#, ["its", ""]),
    (#"a\ b \""#, ["a b", "\""]), (#"'a\b'"#, [#"a\b"#]), ("", []),
  ])
  func `a step's line is split into words as by a shell`(line: String, words: [String]) {
    #expect(StepLine.words(line) == words)
  }

  @Test func `a line with a very long key path is rejected as nested too deeply`() throws {
    let line = "share \(String(repeating: "a.", count: 50_000))b=1"
    let json = try JSONReader.read(try #require(StepLine.json(StepLine.words(line))))
    let error = #expect(throws: ScenarioErrors.self) { try reader.step(json: json) }
    #expect(error?.errors.map(\.message) == ["nested deeper than 64 levels"])
  }

  private static let world = """
    accounts: { anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e } }
    policies: { base: { json: {} } }
    configurations: { limits: { json: {} } }
    conditionalAccess: { protected: { json: {} } }
    servers: { resources: { host: maps.contoso.com, folder: maps } }
    apps:
      mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true }
      viewer: { bundle: org.example.viewer }
      tunnel: { bundle: com.contoso.mail.tunnel, extension: packetTunnel, containingApp: mail }
    steps: [{ launch: mail }]
    """

  /// A world that a step of this word can be in.
  private static func world(for word: String) -> String {
    switch word {
    case "airDrop": "devices: { phone: , ben-phone: { apps: [] } }\n\(world)"
    case "tenant":
      // A tenant stands in place of policies, configurations and conditional access.
      world.split(separator: "\n").filter { line in
        !["policies:", "configurations:", "conditionalAccess:"].contains { line.hasPrefix($0) }
      }.joined(separator: "\n") + "\ntenant: exports\n"
    default: world  // open: words of steps
    }
  }

  @Test func `a step on the command line can name its device`() throws {
    let json = try JSONReader.read(try #require(StepLine.json(["launch", "mail", "on=phone"])))
    #expect(json["on"]?.string == "phone")
    #expect(json["launch"] != nil)
  }

  /// The examples that help and editors show.
  @Test(arguments: Action.rows.map(\.word))
  func `the example of a step is valid as JSON and as words`(word: String) throws {
    let row = try #require(Action.row(of: word))
    let reader = StepReader(try Scenario.read(Self.world(for: word), file: "test.yaml"))
    let example = try JSONReader.read(row.example)
    let step = try reader.step(word, json: example).step
    let line = StepLine.words(of: word, example)
    let again = try reader.step(yaml: try #require(StepLine.json(StepLine.words(line)), "\(line)"))
      .step
    #expect(again.action.detail.text == step.action.detail.text, "\(line)")
  }

  @Test(arguments: Action.rows.map(\.word))
  func `the step reader rejects a step that lacks a required key`(word: String) throws {
    let row = try #require(Action.row(of: word))
    guard case .mapping(let mapping) = row.shape else { return }
    let reader = StepReader(try Scenario.read(Self.world(for: word), file: "test.yaml"))
    let example = try JSONReader.read(row.example)
    let members = try #require(example.members)
    for key in mapping.keys where key.row.presence == .required {
      let rest = members.filter { $0.name != key.name }
      #expect(rest.count == members.count - 1, "the example has no `\(key.name)`")
      let error = #expect(throws: ScenarioErrors.self, "\(key.name)") {
        try reader.step(word, json: JSONValue(.object(rest), at: example.position))
      }
      #expect(error?.errors.first?.code == .missingKey)
    }
  }
}
