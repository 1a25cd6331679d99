import AppConfiguration
import Encodings
import GraphDocuments
import Testing

/// Tests the position and the message of errors about unusable files. No message may contain a
/// value.
struct AppConfigurationErrorTests {
  struct InvalidInput: Sendable, CustomTestStringConvertible {
    var text: String
    var code: AppConfigurationError.Code
    var line: Int
    var column: Int
    /// A part of the expected message.
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

  /// Returns a configuration for managed devices with one setting.
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

  static let mistakes: [InvalidInput] = [
    InvalidInput("", .noConfiguration, 1, 1, "the file is empty"),
    InvalidInput(#"{"a": "#, .jsonSyntax, 1, 7, "expected a value"),
    InvalidInput("7", .noConfiguration, 1, 1, "found a number"),
    InvalidInput("[]", .noConfiguration, 1, 1, "the list contains no app configuration"),
    InvalidInput("[7]", .noConfiguration, 1, 2, "expected an app configuration, found a number"),
    InvalidInput(#"{"id": "x"}"#, .noConfiguration, 1, 1, "such as `customSettings`"),
    InvalidInput(
      #"{"customSettings": [], "id": 1,\#n"id": 2}"#, .duplicateProperty, 2, 1, "first on line 1"),
    InvalidInput(
      "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\"}", .otherType, 1, 17,
      "found an app protection policy"),
    InvalidInput(
      #"{"displayName": "x", "grantControls": {}}"#, .otherType, 1, 22,
      "found a conditional access policy, according to `grantControls`; `sluice run` takes it under"
    ),
    InvalidInput(
      #"{"displayName": "x", "securityEnabled": true}"#, .otherType, 1, 22,
      "found a group, according to `securityEnabled`"),
    InvalidInput(
      "{\"name\": \"x\", \"RAWJson\": \"{\\\"customSettings\\\": []}\"}", .noConfiguration, 1, 15,
      "one is in the text of `RAWJson` (line 1)"),
    InvalidInput(#"{"packageId": "x", "targetedMobileApps": []}"#, .otherType, 1, 2, "for Android"),
    InvalidInput(
      #"{"customSettings": [], "saveAsBlocked": true}"#, .otherType, 1, 24,
      "according to `saveAsBlocked`"),
    InvalidInput(#"{"customSettings": {}}"#, .wrongType, 1, 20, "must be a list of objects"),
    InvalidInput(#"{"customSettings": [{}]}"#, .wrongType, 1, 21, "needs `name`"),
    InvalidInput(
      #"{"customSettings": [{"name": "a", "value": 7}]}"#, .wrongType, 1, 44,
      "must be a string, found a number"),
    InvalidInput(
      #"{"customSettings": [{"name": " ", "value": ""}]}"#, .invalidValue, 1, 30,
      "a key is empty"),
    InvalidInput(
      #"{"customSettings": [{"name": "a", "value": ""},\#n{"name": "a", "value": ""}]}"#,
      .duplicateKey, 2, 10, "the key `a` appears twice, first on line 1"),
    InvalidInput(
      #"{"customSettings": [], "appGroupType": "allApp"}"#, .unknownValue, 1, 40,
      "did you mean `allApps`?"),
    InvalidInput(
      #"{"customSettings": [], "targetedAppManagementLevels": "mdm,unmanagd"}"#, .unknownValue,
      1,
      55, "did you mean `unmanaged`?"),
    InvalidInput(
      setting("intType", "1"), .unknownValue, 2, 47, "is not a value of `appConfigKeyType`"),
    InvalidInput(setting("stringTyp", "1"), .unknownValue, 2, 47, "did you mean `stringType`?"),
    InvalidInput(
      setting("integerType", "s3cret"), .invalidValue, 3, 24, "`Port` must be an integer, because"),
    InvalidInput(
      setting("realType", "s3cret"), .invalidValue, 3, 24, "`Port` must be a number, because"),
    InvalidInput(
      setting("booleanType", "s3cret"), .invalidValue, 3, 24,
      "`Port` must be `true` or `false`, because"),
    InvalidInput(#"{"encodedSettingXml": "s3cret"}"#, .invalidXML, 1, 23, "must be base64"),
    InvalidInput(
      list("<dict><key>a</key><integer>s3cret</integer></dict>"), .invalidXML, 2, 2,
      "line 1, column 19 of its XML: expected an integer"),
    InvalidInput(
      list("<dict>\n<key>a</key><date>2026-01-01T00:00:00Z</date></dict>"), .invalidXML, 2, 2,
      "line 2, column 1 of its XML: the value of `a` contains data, a date"),
    InvalidInput(
      list("<dict><key>a</key><string>s3cret & more</string></dict>"), .invalidXML, 2, 2, ""),
    InvalidInput(list("<array/>"), .invalidXML, 2, 2, "not a property list"),
    InvalidInput(list("<dict><key>a</key>"), .invalidXML, 2, 2, "line 1"),
    InvalidInput(
      #"{"customSettings": [{"name": "a", "value": "\#(String(repeating: "x", count: 1 << 20))"}]}"#,
      .tooLarge, 1, 1, "a device accepts 1048576"),
  ]

  @Test(arguments: mistakes) func `invalid app configurations are reported with their positions`(
    mistake: InvalidInput
  ) throws {
    let error = try #require(Fixtures.error(mistake.text))
    #expect(error.code == mistake.code)
    #expect(error.position == Position(line: mistake.line, column: mistake.column))
    #expect(error.message.contains(mistake.message), "\(error.message)")
    #expect(!error.message.contains("s3cret"))
  }

  @Test func `every error of the configuration reader has a test case`() {
    #expect(Set(Self.mistakes.map(\.code)) == Set(AppConfigurationError.Code.allCases))
  }
}
