@testable import Bundle
import Testing

/// Tests build variables: their expansion, and the sources of their values.
struct BuildSettingsTests {
  static func settings(_ values: [String: String]) -> BuildSettings {
    var settings = BuildSettings()
    for (name, value) in values { settings[name] = value }
    return settings
  }

  static let values = settings([
    "PRODUCT_NAME": "Été 2 Go!", "A": "x$(B)", "B": "y", "LOOP": "$(LOOPS)", "LOOPS": "$(LOOP)",
    "WHICH": "B", "DIGIT": "9a",
  ])

  @Test(arguments: [
    ("plain $5 $item", "plain $5 $item"), ("$(A)-${B}", "xy-y"), ("$($(WHICH))", "y"),
    ("$(PRODUCT_NAME:rfc1034identifier)", "-t--2-Go-"),
    ("$(PRODUCT_NAME:c99extidentifier)", "Été_2_Go_"), ("$(DIGIT:c99extidentifier)", "_a"),
    ("${PRODUCT_NAME:lower}", "été 2 go!"), ("$(B:upper)", "Y"), ("$(A:upper:lower)", "xy"),
    ("$(NONE:default=a.$(B))", "a.y"), ("$(B:default=z)", "y"), ("https:/$()/x", "https://x"),
    ("$(PRODUCT_MODULE_NAME)", "Été_2_Go_"), ("$(EXECUTABLE_NAME)", "Été 2 Go!"),
  ])
  func `build variables with modifiers, defaults and nesting are expanded`(
    text: String, expected: String
  ) {
    #expect(Self.values.expanding(text) == ExpandedText(text: expected, unresolved: []))
  }

  static let unresolved: [(String, String, UnresolvedVariable.Reason)] = [
    ("a.$(NONE)", "NONE", .noValue), ("${NONE}", "NONE", .noValue),
    ("$(LOOP)", "LOOP", .circular), ("$(B:uper)", "B", .unknownModifier("uper")),
    ("$(AppIdentifierPrefix)x", "AppIdentifierPrefix", .noValue), ("$(B", "$(B", .open),
  ]

  @Test(arguments: unresolved)
  func `an unresolved build variable stays in the text and is listed with its reason`(
    text: String, name: String, reason: UnresolvedVariable.Reason
  ) {
    let expanded = Self.values.expanding(text)
    #expect(expanded.unresolved == [UnresolvedVariable(name: name, reason: reason)])
    #expect(expanded.text.contains("$"))
  }

  @Test func `the reason for an unresolved build variable is reported`() {
    #expect(
      Self.values.expanding("$(B:uper)").unresolved.map(\.message) == [
        "the variable `B` has the modifier `uper`, which is unknown; did you mean `upper`?"
      ])
    #expect(
      Self.values.expanding("$(NONE)").unresolved.map(\.message) == [
        "the variable `NONE` has no value; give one with `--set NONE=…`"
      ])
  }

  @Test func `the expansion of exponentially growing build variables is stopped`() {
    var settings = BuildSettings()
    for index in 0..<30 { settings["V\(index)"] = "$(V\(index + 1))$(V\(index + 1))" }
    // A missing value expands to an empty text.
    #expect(settings.expanding("$(V0)").text.utf8.count < 1 << 20)
    settings["V30"] = ""
    #expect(!settings.expanding("$(V0)").unresolved.isEmpty)
  }

  @Test func `build variables that are nested too deeply are reported`() {
    var settings = BuildSettings()
    for index in 0..<40 { settings["V\(index)"] = "$(V\(index + 1))" }
    settings["V40"] = "x"
    #expect(
      settings.expanding("$(V0)").unresolved.map(\.message) == [
        "the variable `V32` is nested in more than 32 others"
      ])
    #expect(settings.expanding("$(V8)").unresolved.map(\.reason) == [.tooDeep])
    #expect(settings.expanding("$(V9)").text == "x")
  }

  private func read(_ files: [String: String]) throws -> BuildConfigurationFile {
    try BuildConfigurationFile("app/A.xcconfig") { files[$0].map { Array($0.utf8) } }
  }

  @Test func `a build configuration is read with its includes`() throws {
    let file = try read([
      "app/A.xcconfig": """
      // A comment
      #include "../base/B.xcconfig"
      #include? "missing.xcconfig"

      NAME = Notes // and another
      PRODUCT_BUNDLE_IDENTIFIER = org.example.$(NAME:lower);
      FLAGS = $(inherited) -b
      NAME[sdk=iphonesimulator*] = Simulated
      EMPTY =
      """,
      "app/../base/B.xcconfig": "FLAGS = -a\r\nNAME = Base\r\n",
    ])
    let expanded = file.settings.expanding("$(PRODUCT_BUNDLE_IDENTIFIER) $(FLAGS)|$(EMPTY)|")
    #expect(expanded.text == "org.example.notes -a -b||")
    #expect(
      file.warnings == [
        "app/A.xcconfig:8: warning: `NAME` applies only to [sdk=iphonesimulator*], so Sluice ignores this value "
          + "[bundle]"
      ])
  }

  @Test(arguments: [
    ("NAME Notes", ":1: error: expected `NAME = value`, found `NAME Notes`"),
    ("\nA-B = c", ":2: error: `A-B` is not the name of a build setting"),
    ("#include A", ":1: error: expected `#include \"file.xcconfig\"`"),
    ("#include \"B.xcconfig\"", ":1: error: `app/B.xcconfig` cannot be read"),
    ("#include \"A.xcconfig\"", ":1: error: `app/A.xcconfig` includes itself"),
  ])
  func `an invalid build configuration is rejected`(text: String, message: String) {
    let error = #expect(throws: BundleError.self) { try read(["app/A.xcconfig": text]) }
    #expect(error?.description == "app/A.xcconfig\(message) [bundle]")
  }

  @Test(arguments: [
    (31, nil),
    (32, "app/30.xcconfig:1: error: files are included more than 32 levels deep [bundle]"),
  ])
  func `the include depth of build configurations is limited`(count: Int, message: String?) throws {
    var files = ["app/A.xcconfig": "#include \"0.xcconfig\""]
    for number in 0..<count {
      let isLast = number + 1 == count
      files["app/\(number).xcconfig"] = isLast ? "" : "#include \"\(number + 1).xcconfig\""
    }
    guard let message else {
      _ = try read(files)
      return
    }
    let error = #expect(throws: BundleError.self) { try read(files) }
    #expect(error?.description == message)
  }
}
