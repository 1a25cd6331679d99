import Model
import Testing

@testable import Scenario

struct ConfigurationStepTests {
  private static let head = """
    accounts: { anna: { upn: a@b.c } }
    configurations:
      staff: { file: staff.json, default: true, assign: [{ account: anna, apps: [a.b] }] }
    apps: { mail: { bundle: a.b, valuesToScrubFromLogging: [Key] } }
    device: { tokens: { serialnumber: X1 } }

    """

  private func step(_ text: String) throws -> Step {
    let scenario = try Scenario.read(Self.head + "steps: [\(text)]", file: "s.yaml")
    return try #require(scenario.cases.first?.steps.first)
  }

  @Test func `a scenario's configuration is read with its document, default and assignments`()
    throws
  {
    let scenario = try Scenario.read(Self.head + "steps: [{ launch: mail }]", file: "s.yaml")
    let staff = try #require(scenario.configurations.first)
    #expect(staff.name == "staff")
    #expect(staff.document == .file("staff.json"))
    #expect(staff.isDefault)
    #expect(staff.assignments.map(\.account) == ["anna"])
    #expect(staff.assignments.map(\.apps) == [["a.b"]])
    #expect(scenario.device.tokens == ["serialnumber": "X1"])
    #expect(scenario.apps.first?.scrubbedKeys == ["Key"])
  }

  @Test func `the type and query of a configuration step default to string and any`() throws {
    let plain = try step("{ configuration: { app: mail, account: anna, key: Port } }")
    #expect(
      plain.action
        == .configuration(
          .init(guest: "mail", account: "anna", key: "Port", type: .string, query: .any)))
    #expect(plain.text == "mail looks up `Port` for anna (string, any)")
    let whole = try step(
      "{ configuration: { app: mail, account: anna, key: P, type: boolean, query: and }, expect: { value: 1 } }"
    )
    #expect(whole.expectation?.values == ["1"])
    #expect(whole.text == "mail looks up `P` for anna (boolean, and)")
  }

  @Test func `an assignConfiguration step gives or removes an app configuration`() throws {
    let some = try step("{ assignConfiguration: { account: anna, configuration: staff } }")
    #expect(some.text == "anna gets staff as app configuration")
    let none = try step("{ assignConfiguration: { account: anna } }")
    #expect(none.text == "anna has no app configuration")
  }

  @Test(arguments: [
    (
      "configuration: { app: mail, account: anna, key: a, type: string, query: or }",
      "invalid-value",
      "`or` is not a query for a string"
    ),
    (
      "configuration: { app: mail, account: anna, key: a, type: boolean, query: min }",
      "invalid-value", "`min` is not a query for a boolean"
    ),
    ("configuration: { app: mail, account: anna, key: a, type: text }", "invalid-value", "`type`"),
    ("configuration: { app: mail, account: anna }", "missing-key", "needs `key`"),
    ("assignConfiguration: { account: anna, configuration: stuff }", "unknown-name", "`staff`"),
    (
      "configuration: { app: mail, account: anna, key: a }, expect: { verdict: allowed }",
      "conflicting-keys", "has no `verdict`"
    ),
    (
      "configuration: { app: mail, account: anna, key: a }, expect: { value: a, values: [a] }",
      "conflicting-keys", "`value` or `values`"
    ),
    ("launch: mail, expect: { value: a }", "conflicting-keys", "has no `value`"),
  ])
  func `invalid configuration steps are reported`(text: String, code: String, message: String)
    throws
  {
    let error = try #require(ScenarioReadingTests.mistake(in: Self.head + "steps: [{ \(text) }]"))
    #expect(error.code.rawValue == code)
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test(arguments: [
    ("configurations: { a: { assign: [] } }", "invalid-value", "applies to no account"),
    ("configurations: { a: {} }", "missing-key", "needs `file` or `json`"),
    ("configurations: { a: { file: x, json: {} } }", "conflicting-keys", "`file` or `json`"),
    ("configurations: { a b: { file: x } }", "invalid-value", "cannot name a configuration"),
    ("device: { tokens: { serialnumbr: x } }", "unknown-key", "`serialnumber`"),
    ("device: { tokens: { mail: x } }", "unknown-key", "has no key `mail`"),
  ])
  func `invalid configuration declarations are reported`(
    text: String, code: String, message: String
  ) throws {
    let rest = "\napps: { mail: { bundle: a.b } }\nsteps: [{ launch: mail }]"
    let error = try #require(ScenarioReadingTests.mistake(in: text + rest))
    #expect(error.code.rawValue == code)
    #expect(error.message.contains(message), "\(error.message)")
  }

  @Test(arguments: [
    (["a"], ["a"], "one configured value", "one configured value", true),
    (["a"], ["b"], "one configured value", "another", false),
    (["a"], [], "one configured value", "no configured value", false),
    ([], ["a"], "no configured value", "one configured value", false),
    (["a", "b"], ["b", "a"], "2 configured values", "another", false),
    (["a", "b"], ["b"], "2 configured values", "one configured value", false),
  ])
  func `comparison results for configuration values do not contain the values`(
    expected: [String], found: [String], want: String, was: String, isMet: Bool
  ) {
    var expectation = Expectation()
    expectation.values = expected
    var observation = Observation()
    observation.values = found
    #expect(
      expectation.compare(with: observation) == [
        Comparison(expected: want, found: was, isMet: isMet)
      ])
  }

  @Test func `if permitted, comparisons of configuration values show the values`() {
    var expectation = Expectation()
    expectation.values = ["a"]
    expectation.hasConflict = true
    var observation = Observation()
    observation.values = ["b", "c"]
    observation.hasConflict = false
    observation.showsValues = true
    #expect(
      expectation.compare(with: observation) == [
        Comparison(expected: "conflict yes", found: "conflict none", isMet: false),
        Comparison(
          expected: "one configured value `a`", found: "2 configured values `b`, `c`",
          isMet: false),
      ])
  }
}
