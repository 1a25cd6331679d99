import AppConfiguration
import Encodings
import GraphDocuments
import Model
import Testing

struct AppConfigurationReaderTests {
  static let service = """
    {
      "@odata.type": "#microsoft.graph.targetedManagedAppConfiguration",
      "displayName": "Mail defaults",
      "appGroupType": "selectedPublicApps",
      "targetedAppManagementLevels": "unmanaged",
      "customSettings": [
        {"name": "Server", "value": "mail.contoso.com"},
        {"name": "Port", "value": "993"}
      ],
      "apps": [
        {"mobileAppIdentifier": {"bundleId": "com.contoso.Mail"}},
        {"mobileAppIdentifier": {"packageId": "com.contoso.mail.android"}}
      ],
      "assignments": [{"target": {"groupId": "g"}}]
    }
    """

  static let device = """
    {
      "@odata.type": "#microsoft.graph.iosMobileAppConfiguration",
      "displayName": "Mail on devices",
      "targetedMobileApps": ["com.contoso.mail"],
      "settings": [
        {"appConfigKey": "Server", "appConfigKeyType": "stringType", "appConfigKeyValue": "a.com"},
        {"appConfigKey": "Port", "appConfigKeyType": "IntegerType", "appConfigKeyValue": "993"},
        {"appConfigKey": "Delay", "appConfigKeyType": "REALTYPE", "appConfigKeyValue": "0.5"},
        {"appConfigKey": "Sync", "appConfigKeyType": "BooleanType", "appConfigKeyValue": "True"},
        {"appConfigKey": "User", "appConfigKeyType": "tokenType", "appConfigKeyValue": "{{mail}}"}
      ]
    }
    """

  @Test func `a configuration for managed apps is read with its targeting`() throws {
    let document = try Fixtures.document(Self.service)
    #expect(document.displayName == "Mail defaults")
    #expect(document.channel == .managedApps)
    #expect(document.entries.map(\.key) == ["Server", "Port"])
    #expect(document.entries.map(\.value) == [.text("mail.contoso.com"), .text("993")])
    #expect(document.entries[1].position == Position(line: 8, column: 14))
    #expect(document.targets(bundleID: "com.contoso.mail", state: .unenrolled))
    #expect(!document.targets(bundleID: "com.contoso.mail", state: .enrolled))
    #expect(!document.targets(bundleID: "com.contoso.notes", state: .unenrolled))
    #expect(document.warnings.isEmpty)
  }

  @Test func `value types in a configuration for managed devices may have any casing`() throws {
    let document = try Fixtures.document(Self.device)
    #expect(document.channel == .managedDevices)
    #expect(
      document.entries.map(\.value) == [
        .text("a.com"), .integer(993), .real(0.5), .boolean(true), .text("{{mail}}"),
      ])
    #expect(document.mobileApps == ["com.contoso.mail"])
    #expect(document.warnings.isEmpty)
  }

  @Test(arguments: [false, true])
  func `an app configuration's property list is read with or without its plist element`(
    isWhole: Bool
  ) throws {
    let dict = """
      <dict>
        <key>Server</key><string>a &amp; b</string>
        <key>Port</key><integer>993</integer>
        <key>Delay</key><real>0.5</real>
        <key>Sync</key><true/>
        <key>Folders</key><array><string>In</string><string>Out</string></array>
        <key>Proxy</key><dict><key>Host</key><string>p</string></dict>
      </dict>
      """
    let xml = isWhole ? #"<?xml version="1.0"?>\#n<plist version="1.0">\#(dict)</plist>"# : dict
    let document = try Fixtures.document(
      """
      {"encodedSettingXml": "\(Fixtures.base64(xml))", "settings": [],
       "targetedMobileApps": ["com.contoso.mail"]}
      """)
    #expect(
      document.entries.map(\.value) == [
        .text("a & b"), .integer(993), .real(0.5), .boolean(true),
        .list([.text("In"), .text("Out")]), .dictionary(["Host": .text("p")]),
      ])
    let line = isWhole ? 3 : 2
    #expect(document.entries.first?.listPosition == Position(line: line, column: 3))
    #expect(document.entries.first?.position == Position(line: 1, column: 23))
  }

  @Test(arguments: [
    service, "[\(service)]", #"{"value": [\#(service)]}"#, #"{"value": \#(service)}"#,
  ])
  func `an app configuration is read from every shape of a Graph response`(text: String) throws {
    #expect(try Fixtures.document(text).displayName == "Mail defaults")
  }

  @Test func `a tenant's default app configuration is recognised and targets every app`() throws {
    let marked = """
      {"customSettings": [{"name": "__IsDefault", "value": "true"},
       {"name": "Theme", "value": "dark"}]}
      """
    let policy = """
      {"@odata.type": "#microsoft.graph.defaultManagedAppProtection",
       "customSettings": [{"name": "Theme", "value": "dark"}]}
      """
    for text in [marked, policy] {
      let document = try Fixtures.document(text)
      #expect(document.isDefault)
      #expect(document.entries.map(\.key) == ["Theme"])
      #expect(document.targets(bundleID: "org.example.any", state: .enrolled))
    }
  }

  @Test(arguments: [
    (#"{"customSettings": [{"name": "Key ", "value": "x"}]}"#, "whiteSpace", 1, 30),
    (#"{"customSettings": [{"name": "a", "value": "{{serialnumber}}"}]}"#, "literalToken", 1, 30),
    (
      """
      {"settings": [{"appConfigKey": "a", "appConfigKeyType": "stringType",
       "appConfigKeyValue": "{{PrimarySMTPAddress}}"}]}
      """, "literalToken", 1, 32
    ),
    (#"{"customSettings": [{"name": "IntuneMAMUPN", "value": "a@b.c"}]}"#, "ineffectiveKey", 1, 30),
    (
      #"{"settings": [{"appConfigKey": "IntuneMAMAllowedAccountsOnly", "appConfigKeyType": "booleanType", "appConfigKeyValue": "true"}]}"#,
      "meaninglessValue", 1, 32
    ),
    (
      #"{"settings": [{"appConfigKey": "IntuneMAMUpn", "appConfigKeyType": "stringType", "appConfigKeyValue": "a@b.c"}]}"#,
      "meaninglessValue", 1, 32
    ),
    (#"{"customSettings": [], "appGroupTyp": "allApps"}"#, "unknownProperty", 1, 24),
    (#"{"customSettings": [], "assignments": []}"#, "emptyAssignments", 1, 24),
    (#"{"customSettings": []}"#, "noKeys", 1, 1), (#"{"customSettings": []}"#, "noApps", 1, 1),
    (#"{"targetedMobileApps": ["7112bf58"]}"#, "opaqueApps", 1, 2),
    (
      """
      {"settings": [{"appConfigKey": "a", "appConfigKeyType": "stringType",
       "appConfigKeyValue": "{{deviceidd}}"}]}
      """, "unknownToken", 1, 32
    ),
    (
      """
      {"settings": [{"appConfigKey": "a", "appConfigKeyType": "stringType",
       "appConfigKeyValue": "{{nosuch}}"}]}
      """, "unknownToken", 1, 32
    ),
  ])
  func `a probable mistake in an app configuration is a warning with its position`(
    text: String, code: String, line: Int, column: Int
  ) throws {
    let warning = try #require(
      try Fixtures.document(text).warnings.first { $0.code.rawValue == code })
    #expect(warning.position == Position(line: line, column: column))
    #expect(warning.file == "c.json")
  }

  @Test func `a warning about an unknown token does not print the token's text`() throws {
    let device = """
      {"settings": [{"appConfigKey": "a", "appConfigKeyType": "stringType",
       "appConfigKeyValue": "{{hunter2}} {{other}}"}], "targetedMobileApps": ["a.b"]}
      """
    let warnings = try Fixtures.document(device).warnings
    #expect(warnings.map(\.code) == [.unknownToken])
    #expect(!warnings.contains { $0.message.contains("hunter2") })
    let managed = #"{"customSettings": [{"name": "a", "value": "{{hunter2}}"}]}"#
    #expect(try !Fixtures.document(managed).warnings.contains { $0.code == .unknownToken })
  }

  @Test func `unknown properties of an app configuration are kept`() throws {
    let document = try Fixtures.document(
      #"{"customSettings": [], "futureThing": 7, "apps@odata.context": "x"}"#)
    #expect(document.unknownProperties.map(\.name) == ["futureThing"])
  }
}
