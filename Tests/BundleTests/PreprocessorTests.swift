@testable import Bundle
import JSON
import Output
import Testing

/// Lists for Xcode's preprocessor: told as such, and read where it is known what is defined.
struct PreprocessorTests {
  private static func list(_ body: String, _ macros: [String: String]?) throws -> PropertyList {
    try PropertyList(Lists.xml(body), file: "a.plist", macros: macros)
  }

  private static func keys(_ body: String, _ macros: [String: String]) throws -> [String] {
    try list(body, macros).dictionary.entries.map(\.key)
  }

  private static let conditional = """
    <dict>
    \t<key>a</key><true/>
    \t#ifdef MAM
    \t<key>b</key><string>é</string>
    # if MAM_VERSION >= 2 && !defined(OLD)
    \t<key>c</key><true/>
    # elif MAM_VERSION
    \t<key>d</key><true/>
    # endif
    \t#else
    \t<key>e</key><true/>
    \t#endif
    \t<key>f</key><true/>
    </dict>
    """

  @Test(arguments: [
    ([:], "aef"), (["MAM": "1"], "abf"), (["MAM": "1", "MAM_VERSION": "2"], "abcf"),
    (["MAM": "", "MAM_VERSION": "(1 + 1)", "OLD": "1"], "abdf"), (["MAM_VERSION": "2"], "aef"),
  ])
  func whatHoldsIsRead(macros: [String: String], keys: String) throws {
    #expect(try Self.keys(Self.conditional, macros).joined() == keys)
  }

  @Test func placesAreThoseOfTheFile() throws {
    let list = try Self.list(Self.conditional, ["MAM": "1"])
    #expect(list.position(of: ["b"]) == Position(line: 7, column: 2))
    #expect(list.position(ofValueAt: ["b"], offset: 0) == Position(line: 7, column: 22))
    #expect(list.position(of: ["f"]) == Position(line: 16, column: 2))
    #expect(list.findings.isEmpty)
  }

  @Test func withoutDefinitionsItIsRefusedAsWhatItIs() throws {
    let refusal = Lists.refusal(of: Lists.xml(Self.conditional))
    #expect(
      refusal == "a.plist:6:2: error: `#ifdef` is for Xcode's preprocessor "
        + "(`INFOPLIST_PREPROCESS`); `sluice bundle` takes what is defined by "
        + "`--define NAME[=VALUE]`, or read what `cc -E -P -x c -traditional` makes of the list "
        + "[bundle]")
    let included = Array("\n#include \"values.h\"\n".utf8) + Lists.xml("<dict/>")
    #expect(Lists.refusal(of: included)?.hasPrefix("a.plist:2:1: error: `#include` is for") == true)
    #expect(
      Lists.refusal(of: Lists.xml("<dict>\n # if\n</dict>"))?.contains(":5:2: error: `#if`") == true
    )
    #expect(Lists.refusal(of: Lists.xml("<dict># if\n</dict>"))?.contains("text outside") == true)
    #expect(Lists.refusal(of: Lists.xml("<dict>#iffy</dict>"))?.contains("text outside") == true)
  }

  @Test func settingsSayWhetherListsArePreprocessed() {
    #expect(BuildSettings().macros == nil)
    #expect(BuildSettings(["INFOPLIST_PREPROCESS": "YES"]).macros == [:])
    var settings = BuildSettings([
      "INFOPLIST_PREPROCESS": "YES", "INFOPLIST_PREPROCESSOR_DEFINITIONS": "A B=2  C=$(D)",
      "D": "x",
    ])
    #expect(settings.macros == ["A": "1", "B": "2", "C": "x"])
    settings.define("B=3")
    settings.define("E=")
    #expect(settings.over(BuildSettings()).macros == ["A": "1", "B": "3", "C": "x", "E": ""])
  }

  @Test(arguments: [
    ("1", true), ("0x10 == 020", true), ("1 ? 1 : 0", nil), ("2 - 1 - 1", false),
    ("1 + 2 * 3 == 7 && (1 | 6) == 7", true), ("~0 == -1", true), ("NONE", false),
    ("defined A && defined(B)", true), ("A", nil), ("B == 7", true), ("8 >> 1 << 1 == 8", true),
    ("!defined NONE", true), ("1 /", nil), ("1 / 0", nil), ("(1", nil), ("1)", nil), ("", nil),
    ("-9223372036854775807 - 1 == 1 << 63", true), ("(1 << 63) / -1 == (1 << 63)", true),
    ("09", nil), ("10UL", true), ("defined", nil), ("LOOP", false), ("1 // what", true), ("@", nil),
    ("0x1zz", nil), ("0x1FUL == 31", true),
    (String(repeating: "(", count: 1000) + "1", nil),
    (String(repeating: "!", count: 1000) + "1", nil),
    (String(repeating: "1+", count: 4000) + "1", nil), ("BOMB0", nil),
  ])
  func conditionsAreThoseOfC(text: String, expected: Bool?) {
    var macros = ["A": "", "B": "C", "C": "7", "LOOP": "LOOP", "BOMB30": ""]
    for number in 0..<30 { macros["BOMB\(number)"] = "BOMB\(number + 1) BOMB\(number + 1)" }
    #expect((try? PreprocessorCondition.holds(text, macros: macros)) == expected)
  }

  static let faults: [(String, String)] = [
    ("<dict>\n#if 1\n</dict>", ":5:1: error: the `#if` does not end: `#endif` is missing"),
    ("<dict>\n#endif\n</dict>", ":5:1: error: `#endif` without `#if`"),
    ("<dict>\n#if 0\n#else\n#else\n#endif\n</dict>", ":7:1: error: `#else` without `#if`"),
    ("<dict>\n#error no\n</dict>", ":5:1: error: `#error no`"),
    (
      "<dict>\n#if 1 +\n#endif\n</dict>",
      ":5:1: error: the condition of `#if`: expected a value, found its end"
    ),
  ]

  @Test(arguments: faults)
  func aMistakeIsToldWithItsPlace(body: String, message: String) {
    #expect {
      _ = try Self.list(body, [:])
    } throws: { "\($0)" == "a.plist\(message) [bundle]" }
  }

  @Test func whatIsDefinedInTheListHolds() throws {
    let body = """
      <dict>
      #define NAME \\
        Notes
      #undef GONE
      #if 0
      #error no
      #elif defined(NAME) && !defined(GONE)
      <key>a</key><string>NAME</string>
      #endif
      #include "more.h"
      </dict>
      """
    let list = try Self.list(body, ["GONE": "1"])
    #expect(list["a"]?.string == "NAME")
    #expect(
      list.findings.map(\.description) == [
        "a.plist:11:21: warning: `NAME` is defined as `Notes` and stays as it is: macros in the text "
          + "are not replaced [preprocessor]",
        "a.plist:13:1: warning: `#include \"more.h\"` is not followed; give what it defines with "
          + "`--define` [preprocessor]",
      ])
  }

  @Test func aPreprocessedListIsFixedWhereItIs() throws {
    let body = """
      <dict>
      \t<key>CFBundleIdentifier</key>
      \t<string>org.example.app</string>
      #ifdef MAM
      \t<key>IntuneMAMSettings</key>
      \t<dict/>
      \t<key>LSApplicationQueriesSchemes</key>
      \t<array>
      \t\t<string>fax</string>
      \t</array>
      #endif
      </dict>
      """
    var settings = BuildSettings()
    settings.define("MAM")
    let list = try Self.list(body, settings.macros)
    let bundle = try AppBundle(list, entitlements: nil, settings: settings, path: "a.plist")
    let fix = try #require(try BundleFixer.fixes(of: .bundle(bundle, in: nil)).first)
    let text = String(decoding: fix.after, as: UTF8.self)
    #expect(text.contains("\t\t<string>fax</string>\n\t\t<string>http-intunemam</string>\n"))
    #expect(text.contains("\t</array>\n#endif\n</dict>"))
  }
}
