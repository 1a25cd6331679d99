import Model
import Testing

/// Tests the documented answers, given as tables.
struct DeliveredConfigurationTests {
  /// Two targeted configurations that conflict, and the tenant's default.
  static let conflicting = DeliveredConfiguration([
    ["Sync": .text("true"), "Port": .text("993"), "Server": .text("b.com"), "Same": .text("x")],
    ["Sync": .text("false"), "Port": .text("143"), "Server": .text("a.com"), "Same": .text("x")],
    [
      "Sync": .text("true"), "Port": .text("1"), "Server": .text("0.com"), "Theme": .text("dark"),
      DeliveredConfiguration.defaultMark: .boolean(true),
    ],
  ])

  @Test(arguments: [
    ("Sync", "boolean", "any", ["true"]), ("Sync", "boolean", "or", ["true"]),
    ("Sync", "boolean", "and", ["false"]), ("Sync", "boolean", "all", ["true", "false"]),
    ("Port", "number", "any", ["993"]), ("Port", "number", "min", ["143"]),
    ("Port", "number", "max", ["993"]), ("Port", "number", "all", ["993", "143"]),
    ("Server", "string", "any", ["b.com"]), ("Server", "string", "min", ["a.com"]),
    ("Server", "string", "max", ["b.com"]), ("Server", "string", "all", ["b.com", "a.com"]),
    // First the default alone, then no value, and then values of other types.
    ("Theme", "string", "any", ["dark"]), ("Theme", "string", "all", ["dark"]),
    ("Nothing", "string", "any", []), ("Nothing", "boolean", "and", []),
    ("Nothing", "number", "all", []), ("Server", "number", "min", []),
  ])
  func `queries such as any, min and max return the expected app configuration values`(
    key: String, type: String, query: String, answer: [String]
  ) throws {
    let question = ConfigurationQuestion(
      account: "anna@contoso.com", key: key, type: try #require(.init(rawValue: type)),
      query: try #require(.init(rawValue: query)))
    #expect(question.isMeaningful)
    #expect(question.answer(of: Self.conflicting) == answer)
  }

  @Test(arguments: [
    ("Sync", true), ("Port", true), ("Same", false), ("Theme", false), ("Nothing", false),
  ])
  func `targeted values of a configuration key conflict only if they differ`(
    key: String, hasConflict: Bool
  ) {
    #expect(Self.conflicting.hasConflict(for: key) == hasConflict)
  }

  @Test func `a default value does not conflict with a targeted value`() {
    let configuration = DeliveredConfiguration([
      ["Theme": .text("light")],
      ["Theme": .text("dark"), DeliveredConfiguration.defaultMark: .boolean(true)],
    ])
    #expect(!configuration.hasConflict(for: "Theme"))
    #expect(configuration.texts(for: "Theme") == ["light"])
  }

  @Test(
    arguments: [
      (ConfigurationValue.text("TRUE"), true), (.text("yes"), true), (.text("1"), true),
      (.text("No"), false), (.text("0"), false), (.text("on"), nil), (.text(""), nil),
      (.integer(2), true), (.integer(0), false), (.real(0.5), true), (.boolean(false), false),
      (.list([]), nil), (.dictionary([:]), nil),
    ] as [(ConfigurationValue, Bool?)])
  func `configuration values are converted to booleans`(value: ConfigurationValue, flag: Bool?) {
    #expect(value.boolean == flag)
  }

  @Test(
    arguments: [
      (ConfigurationValue.text("12"), ConfigurationNumber.integer(12)),
      (.text("-1.5e3"), .real(-1500)), (.text("0x1F"), nil), (.text("nan"), nil),
      (.text("1e999"), nil), (.text(" 1"), nil), (.text(""), nil), (.boolean(true), .integer(1)),
      (.real(2.5), .real(2.5)), (.list([]), nil),
    ] as [(ConfigurationValue, ConfigurationNumber?)])
  func `configuration values are converted to numbers`(
    value: ConfigurationValue, number: ConfigurationNumber?
  ) {
    #expect(value.number == number)
  }

  @Test func `integers and reals are compared exactly, even beyond the precision of a double`() {
    let near = ConfigurationNumber.integer(9_007_199_254_740_993)
    let double = ConfigurationNumber.real(9_007_199_254_740_992)
    #expect(double.isLess(than: near) && !near.isLess(than: double))
    #expect(ConfigurationNumber.integer(.max).isLess(than: .real(1e19)))
    #expect(ConfigurationNumber.real(-1e19).isLess(than: .integer(.min)))
    #expect(ConfigurationNumber.integer(1).isLess(than: .real(1.5)))
    #expect(!ConfigurationNumber.integer(2).isLess(than: .real(1.5)))
    #expect(ConfigurationNumber.integer(-2).isLess(than: .real(-1.5)))
    #expect(ConfigurationNumber.real(-1.5).isLess(than: .integer(-1)))
  }

  @Test func `a delivered configuration round-trips through JSON, and invalid JSON is rejected`() {
    let configuration = DeliveredConfiguration([
      [
        "text": .text("a\"\n😀\u{0}"), "real": .real(5), "tiny": .real(1e-9), "int": .integer(.min),
        "flag": .boolean(false), "": .list([.dictionary(["x": .list([])])]),
      ], [:],
    ])
    #expect(DeliveredConfiguration(json: configuration.json) == configuration)
    for bytes in ["", "7", "[7]", #"[{"a": null}]"#, "{}"] {
      #expect(DeliveredConfiguration(json: Array(bytes.utf8)) == nil)
    }
  }
}
