import AppConfiguration
import GraphDocuments
import JSON
import Testing

/// What cannot be used, where, and in which words. No message tells a value.
struct AppConfigurationErrorTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    var code: AppConfigurationError.Code
    var line: Int
    var column: Int
    /// A part of the message.
    var message: String

    init(
      _ text: String, _ code: AppConfigurationError.Code, _ line: Int, _ column: Int,
      _ message: String
    ) {
      self.text = text
      self.code = code
      self.line = line
      self.column = column
      self.message = message
    }

    var testDescription: String { text }
  }

  /// One setting for managed devices.
  private static func setting(_ type: String, _ value: String) -> String {
    """
    {"settings": [
     {"appConfigKey": "Port", "appConfigKeyType": "\(type)",
      "appConfigKeyValue": "\(value)"}]}
    """
  }

  private static func list(_ xml: String) -> String {
    #"{"encodedSettingXml":\#n "\#(Fixtures.base64(xml))"}"#
  }

  static let mistakes: [Mistake] = [
    Mistake("", .noConfiguration, 1, 1, "the file is empty"),
    Mistake(#"{"a": "#, .jsonSyntax, 1, 7, "expected a value"),
    Mistake("7", .noConfiguration, 1, 1, "found a number"),
    Mistake("[]", .noConfiguration, 1, 1, "the list holds no app configuration"),
    Mistake("[7]", .noConfiguration, 1, 2, "expected an app configuration, found a number"),
    Mistake(#"{"id": "x"}"#, .noConfiguration, 1, 1, "such as `customSettings`"),
    Mistake(#"{"id": 1,\#n"id": 2}"#, .duplicateProperty, 2, 1, "first on line 1"),
    Mistake(
      "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\"}", .otherType, 1, 17,
      "found an app protection policy"),
    Mistake(
      #"{"displayName": "x", "grantControls": {}}"#, .otherType, 1, 22,
      "found a conditional access policy, according to `grantControls`; `sluice run` takes it under"
    ),
    Mistake(
      #"{"displayName": "x", "securityEnabled": true}"#, .otherType, 1, 22,
      "found a group, according to `securityEnabled`"),
    Mistake(
      "{\"name\": \"x\", \"RAWJson\": \"{\\\"customSettings\\\": []}\"}", .noConfiguration, 1, 15,
      "one is in the text of `RAWJson` (line 1)"),
    Mistake(#"{"packageId": "x", "targetedMobileApps": []}"#, .otherType, 1, 2, "for Android"),
    Mistake(
      #"{"customSettings": [], "saveAsBlocked": true}"#, .otherType, 1, 24,
      "according to `saveAsBlocked`"),
    Mistake(#"{"customSettings": {}}"#, .wrongType, 1, 20, "must be a list of objects"),
    Mistake(#"{"customSettings": [{}]}"#, .wrongType, 1, 21, "needs `name`"),
    Mistake(
      #"{"customSettings": [{"name": "a", "value": 7}]}"#, .wrongType, 1, 44,
      "must be a string, found a number"),
    Mistake(
      #"{"customSettings": [{"name": " ", "value": ""}]}"#, .invalidValue, 1, 30,
      "a key is empty"),
    Mistake(
      #"{"customSettings": [{"name": "a", "value": ""},\#n{"name": "a", "value": ""}]}"#,
      .duplicateKey, 2, 10, "the key `a` is stated twice, first on line 1"),
    Mistake(
      #"{"customSettings": [], "appGroupType": "allApp"}"#, .unknownValue, 1, 40,
      "did you mean `allApps`?"),
    Mistake(
      #"{"customSettings": [], "targetedAppManagementLevels": "mdm,unmanagd"}"#, .unknownValue,
      1,
      55, "did you mean `unmanaged`?"),
    Mistake(setting("intType", "1"), .unknownValue, 2, 47, "no value of `appConfigKeyType`"),
    Mistake(setting("stringTyp", "1"), .unknownValue, 2, 47, "did you mean `stringType`?"),
    Mistake(setting("integerType", "s3cret"), .invalidValue, 3, 24, "`Port` is no integer"),
    Mistake(setting("realType", "s3cret"), .invalidValue, 3, 24, "`Port` is no number"),
    Mistake(setting("booleanType", "s3cret"), .invalidValue, 3, 24, "`Port` is no boolean"),
    Mistake(#"{"encodedSettingXml": "s3cret"}"#, .invalidXML, 1, 23, "must be base64"),
    Mistake(
      list("<dict><key>a</key><integer>s3cret</integer></dict>"), .invalidXML, 2, 2,
      "line 1, column 19 of its XML: expected an integer"),
    Mistake(
      list("<dict>\n<key>a</key><date>2026-01-01T00:00:00Z</date></dict>"), .invalidXML, 2, 2,
      "line 2, column 1 of its XML: the value of `a` holds data, a date"),
    Mistake(list("<dict><key>a</key><string>s3cret & more</string></dict>"), .invalidXML, 2, 2, ""),
    Mistake(list("<array/>"), .invalidXML, 2, 2, "not a property list"),
    Mistake(list("<dict><key>a</key>"), .invalidXML, 2, 2, "line 1"),
    Mistake(
      #"{"customSettings": [{"name": "a", "value": "\#(String(repeating: "x", count: 1 << 20))"}]}"#,
      .tooLarge, 1, 1, "a device takes 1048576"),
  ]

  @Test(arguments: mistakes) func whatCannotBeUsedIsSaidWithItsPlace(mistake: Mistake) throws {
    let error = try #require(Fixtures.error(mistake.text))
    #expect(error.code == mistake.code)
    #expect(error.position == Position(line: mistake.line, column: mistake.column))
    #expect(error.message.contains(mistake.message), "\(error.message)")
    #expect(!error.message.contains("s3cret"))
  }

  @Test func everyRuleHasATest() {
    #expect(Set(Self.mistakes.map(\.code)) == Set(AppConfigurationError.Code.allCases))
  }
}
