import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice app-config`, and the visibility of values.
  @Suite struct ConfigurationCommandTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    /// A text that appears in output only if a value leaks.
    private static let canary = "c4narySECRET"

    private static let xml = Data(
      """
      <dict><key>IntuneMAMUPN</key><string>{{userprincipalname}}</string>
      <key>List</key><string>\(canary)-xml {{serialnumber}}</string></dict>
      """.utf8
    ).base64EncodedString()

    /// A scenario with values from every source, with met and unmet expectations, and with every
    /// kind of change.
    private static let scenario = """
      name: Canary
      device: { mdm: { enrolled: true }, tokens: { serialnumber: \(canary)-token } }
      accounts: { anna: { upn: anna@contoso.com } }
      policies:
        base: { json: { displayName: Base, appGroupType: allApps }, assign: [{ account: anna }] }
      configurations:
        one: { file: one.json, assign: [{ account: anna, apps: [com.contoso.mail] }] }
        two:
          json:
            displayName: Two
            appGroupType: allApps
            customSettings: [{ name: Key, value: \(canary)-two }, { name: Scrubbed, value: \(canary)-three }]
          assign: [{ account: anna }]
        standard: { default: true, json: { displayName: All, appGroupType: allApps, customSettings: [{ name: Key, value: \(canary)-all }] }, assign: [{ account: anna }] }
      apps:
        mail:
          bundle: com.contoso.mail
          team: CONTOSO123
          sdk: true
          mdmManaged: true
          signedIn: [anna]
          valuesToScrubFromLogging: [Scrubbed]
      steps:
        - launch: mail
        - configuration: { app: mail, account: anna, key: Key }
          expect: { value: \(canary)-two }
        - configuration: { app: mail, account: anna, key: List }
          expect: { value: \(canary)-xml \(canary)-token }
        - configuration: { app: mail, account: anna, key: Scrubbed, query: all }
          expect: { values: [\(canary)-three] }
        - configuration: { app: mail, account: anna, key: Key }
          expect: { value: \(canary)-wrong, conflict: false }
        - assignConfiguration: { account: anna, configuration: [one, standard] }
        - configuration: { app: mail, account: anna, key: Key }
          expect: { value: \(canary)-all }
      """

    private func write() throws {
      try desk.folder.write(
        #"{"displayName": "One", "encodedSettingXml": "\#(Self.xml)"}"#, to: "one.json")
      try desk.folder.write(Self.scenario, to: "s.yaml")
    }

    /// Returns all output of a run, except the scenario and the apps' files.
    private func outputs(of ended: Desk.Ended) throws -> [String] {
      let journal = try desk.folder.read("kept/1/journal.jsonl")
      let trace = try desk.folder.read("trace")
      let reports = try ["text", "json", "junit", "tap"].map {
        try desk.folder.read("report.\($0)")
      }
      return [ended.output, ended.errors, journal, trace] + reports
    }

    private func run(_ options: String...) throws -> Desk.Ended {
      let reports = ["text", "json", "junit", "tap"].flatMap {
        ["--output", "\($0)=report.\($0)"]
      }
      return try desk.sluice(
        ["run", "s.yaml", "--verbose", "--output-dir", "kept", "--trace", "trace"] + reports
          + options)
    }

    @Test func `without --show-values, no output contains a configured value`() throws {
      try write()
      let ended = try run()
      #expect(ended.status == 1, "\(ended.errors)")
      for output in try outputs(of: ended) { #expect(!output.contains(Self.canary)) }
      #expect(ended.output.contains("expected one configured value, found another"))
      let database = try Data(
        contentsOf: URL(fileURLWithPath: desk.folder.path + "/kept/1/device.sqlite"))
      #expect(database.range(of: Data(Self.canary.utf8)) == nil)
    }

    @Test func `--show-values prints all configured values except scrubbed ones`() throws {
      try write()
      let ended = try run("--show-values")
      #expect(ended.status == 1, "\(ended.errors)")
      let journal = try desk.folder.read("kept/1/journal.jsonl")
      #expect(journal.contains("one configured value `\(Self.canary)-two`"))
      #expect(
        ended.output.contains(
          "expected one configured value `\(Self.canary)-wrong`, found one configured value "
            + "`\(Self.canary)-two`"))
      for output in try outputs(of: ended) { #expect(!output.contains("\(Self.canary)-three")) }
    }

    @Test func `an error about a configured value does not print the value`() throws {
      try desk.folder.write(
        """
        {"settings": [{"appConfigKey": "Port", "appConfigKeyType": "integerType",
          "appConfigKeyValue": "\(Self.canary)"}]}
        """, to: "c.json")
      let ended = try desk.sluice("app-config", "show", "c.json", "--show-values", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(
        ended.errors
          == "c.json:2:24: error: the value of `Port` must be an integer, because its type is `integerType` "
          + "[invalidValue]\n")
    }

    @Test func `an unusable value of an SDK key causes a warning`() throws {
      try desk.folder.write(
        """
        device: { mdm: { enrolled: true } }
        accounts: { anna: { upn: anna@contoso.com } }
        configurations:
          restriction:
            json: { "@odata.type": "#microsoft.graph.iosMobileAppConfiguration", displayName: R, settings: [{ appConfigKey: IntuneMAMAllowedAccountsOnly, appConfigKeyType: stringType, appConfigKeyValue: Enabled }] }
            assign: [{ account: anna, apps: [com.contoso.served] }]
        apps:
          space: { bundle: com.contoso.space, sdk: true, mdmManaged: true, configuration: { IntuneMAMAllowedAccountsOnly: " Enabled", IntuneMAMUPN: anna@contoso.com } }
          word: { bundle: com.contoso.word, sdk: true, mdmManaged: true, configuration: { IntuneMAMAllowedAccountsOnly: "true" } }
          nobody: { bundle: com.contoso.nobody, sdk: true, configuration: { IntuneMAMAllowedAccountsOnly: Enabled } }
          served: { bundle: com.contoso.served, sdk: true }
          right: { bundle: com.contoso.right, sdk: true, mdmManaged: true, configuration: { IntuneMAMAllowedAccountsOnly: enabled, IntuneMAMOID: a } }
          apart: { bundle: com.contoso.apart, sdk: true, configuration: { IntuneMAMAllowedAccountsOnly: Enabled, IntuneMAMOID: a } }
        steps:
          - launch: right
          - configure: { app: right, configuration: { intunemamupn: anna@contoso.com } }
        """, to: "s.yaml")
      let ended = try desk.sluice("run", "s.yaml", ends: 0)
      let warnings = Set(ended.errors.split(separator: "\n").map(String.init))
      #expect(
        warnings == [
          "s.yaml:8:3: warning: the configuration of `space`: the value of `IntuneMAMAllowedAccountsOnly` is surrounded by white space, and is not `Enabled`, so any account may sign in [meaninglessValue]",
          "s.yaml:9:3: warning: the configuration of `word`: the value of `IntuneMAMAllowedAccountsOnly` is not `Enabled` or `Disabled`, so any account may sign in [meaninglessValue]",
          "s.yaml:10:3: warning: the configuration of `nobody`: `IntuneMAMAllowedAccountsOnly` has no effect without `IntuneMAMUPN` or `IntuneMAMOID`, which name the account, so any account may sign in [ineffectiveKey]",
          "s.yaml:13:3: warning: the configuration of `apart`: `IntuneMAMAllowedAccountsOnly` has no effect unless MDM manages the app on an enrolled device, so any account may sign in [ineffectiveKey]",
          "s.yaml:16:5: warning: the configuration of `right`: the key `intunemamupn` does not match `IntuneMAMUPN`: keys are case-sensitive [meaninglessValue]",
          "s.yaml:5:107: warning: `IntuneMAMAllowedAccountsOnly` has no effect without `IntuneMAMUPN` or `IntuneMAMOID`, which name the account, so any account may sign in to `com.contoso.served` [ineffectiveKey]",
        ])
    }

    @Test func `on an unmanaged device, a configuration key that names the user causes a warning`()
      throws
    {
      try desk.folder.write(
        """
        accounts: { anna: { upn: anna@contoso.com } }
        configurations:
          user:
            json: { "@odata.type": "#microsoft.graph.iosMobileAppConfiguration", displayName: U, settings: [{ appConfigKey: IntuneMAMUPN, appConfigKeyType: stringType, appConfigKeyValue: anna@contoso.com }] }
            assign: [{ account: anna, apps: [com.contoso.served] }]
        apps:
          named: { bundle: com.contoso.named, sdk: true, mdmManaged: true, configuration: { IntuneMAMOID: a } }
          served: { bundle: com.contoso.served, sdk: true, mdmManaged: true }
        steps:
          - launch: named
        """, to: "s.yaml")
      let ended = try desk.sluice("run", "s.yaml", ends: 0)
      let why =
        "has no effect on a device that MDM does not manage, so policies for unmanaged devices apply [ineffectiveKey]"
      #expect(
        ended.errors.split(separator: "\n").map(String.init) == [
          "s.yaml:7:3: warning: the configuration of `named`: `IntuneMAMOID` \(why)",
          "s.yaml:4:107: warning: `IntuneMAMUPN` \(why)",
        ], "\(ended.errors)")
    }

    // MARK: Show

    private static let criteria = Repository.path("scenarios/criteria/configurations")

    @Test func `app-config show hides configured values by default`() throws {
      let ended = try desk.sluice("app-config", "show", "\(Self.criteria)/staff.json", ends: 0)
      #expect(
        ended.lines.first == "Mail for staff (\(Self.criteria)/staff.json:1), for managed apps")
      #expect(ended.lines.dropFirst().allSatisfy { $0.contains("(hidden)") })
      #expect(ended.lines.count == 5)
    }

    @Test func `app-config show --show-values prints values that are not scrubbed`() throws {
      let ended = try desk.sluice(
        "app-config", "show", "\(Self.criteria)/staff.json", "--show-values", "--scrub",
        "Server", "--format", "json", ends: 0)
      #expect(ended.output.contains(#""value":"30""#))
      #expect(!ended.output.contains("staff.contoso.com"))
    }

    @Test func `app-config show lists an account's configuration by key`() throws {
      let ended = try desk.sluice(
        "app-config", "show", Self.criteria, "--app", "com.contoso.mail", "--account",
        "anna@contoso.com", ends: 0)
      #expect(ended.lines.first == "DaysToSync, in conflict")
      #expect(ended.lines.contains("Organisation"))
      #expect(ended.lines.filter { $0.contains("default, overridden") }.count == 4)
      let other = try desk.sluice(
        "app-config", "show", "\(Self.criteria)/staff.json", "--app", "com.contoso.notes",
        "--account", "anna@contoso.com")
      #expect(other.output == "nothing arrives\n")
    }

    @Test func `app-config show --enrolled replaces tokens by values of the enrolled user`() throws
    {
      let ended = try desk.sluice(
        "app-config", "show", Repository.path("scenarios/configurations/devices-xml.json"),
        "--app", "com.contoso.mail", "--account", "anna@contoso.com", "--enrolled", "--token",
        "serialnumber=F4KN99ZUG5V2", "--show-values", ends: 0)
      #expect(ended.output.contains(#""iPhone G5V2 of anna""#))
      #expect(ended.output.contains("line 13 of its XML"))
      #expect(ended.errors.contains("the value of `{{username}}` in the key `Account` is unknown"))
    }

    @Test(arguments: [
      ["--app", "com.contoso.mail"], ["--enrolled"],
      ["--app", "a.b", "--account", "c@d", "--format", "json"],
      ["--app", "a.b", "--account", "c@d", "--token", "nothing=x"],
    ])
    func `conflicting options of app-config show are usage errors`(options: [String]) throws {
      try desk.sluice(["app-config", "show", "\(Self.criteria)/staff.json"] + options, ends: 64)
    }
  }
}
