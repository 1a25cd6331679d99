import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice explain device-state`.
  @Suite struct DeviceStateCommandTests {
    private static let scenario = """
      device: { mdm: { enrolled: true }, service: { reachable: false } }
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: ben@contoso.com }
      policies:
        managed:
          json:
            displayName: For managed devices
            apps: [{ mobileAppIdentifier: { "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", bundleId: com.contoso.mail } }]
            targetedAppManagementLevels: mdm
          assign: [{ account: anna }, { account: ben }]
        unmanaged:
          json:
            displayName: For unmanaged devices
            apps: [{ mobileAppIdentifier: { "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", bundleId: com.contoso.mail } }]
            targetedAppManagementLevels: unmanaged
          assign: [{ account: anna }]
      apps:
        mail:
          bundle: com.contoso.mail
          sdk: true
          mdmManaged: true
          signedIn: [anna]
          configuration: { IntuneMAMUPN: anna@contoso.com }
        notes: { bundle: com.contoso.notes, sdk: true, configuration: { "IntuneMAMUPN ": anna@contoso.com } }
        plain: { bundle: org.example.plain }
      steps:
        - launch: mail
        - register: { app: mail, account: ben }
      """

    /// Three enrollments: by a declaration, under another user's name, and for an app that cannot
    /// receive it.
    private static let told = """
      device: { mdm: { enrolled: true } }
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: ben@contoso.com }
      policies:
        managed:
          json: { displayName: For managed devices, appGroupType: allApps, targetedAppManagementLevels: mdm }
          assign: [{ account: anna }]
        every:
          json: { displayName: For every device, appGroupType: allApps }
          assign: [{ account: anna }]
      configurations:
        upn:
          json:
            "@odata.type": "#microsoft.graph.iosMobileAppConfiguration"
            displayName: Enrolled user
            settings: [{ appConfigKey: IntuneMAMUPN, appConfigKeyType: tokenType, appConfigKeyValue: "{{userprincipalname}}" }]
          assign: [{ account: anna, apps: [com.contoso.served] }]
      apps:
        served: { bundle: com.contoso.served, team: CONTOSO123, sdk: true, mdmManaged: true, signedIn: [anna] }
        clip: { bundle: com.contoso.served.clip, team: CONTOSO123, sdk: true, extension: share, containingApp: served }
        other: { bundle: com.contoso.other, team: CONTOSO123, sdk: true, mdmManaged: true, configuration: { IntuneMAMUPN: ben@contoso.com } }
        store: { bundle: com.contoso.store, team: CONTOSO123, sdk: true, configuration: { IntuneMAMUPN: anna@contoso.com } }
        plain: { bundle: org.example.plain, signedIn: [anna] }
      steps:
        - launch: served
      """

    private static func access(
      _ name: String, _ state: String = "enabled", _ condition: String = "",
      users: String = "includeUsers: [All]", applications: String = "includeApplications: [All]"
    ) -> String {
      """
              - displayName: \(name)
                state: \(state)
                conditions: { users: { \(users) }, applications: { \(applications) }\(condition) }
                grantControls: { operator: OR, builtInControls: [block] }

      """
    }

    private static let access =
      """
      device: { mdm: { enrolled: true } }
      accounts:
        anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e, tenant: contoso.com }
      apps:
        mail: { bundle: com.contoso.mail, sdk: true }
      steps:
        - launch: mail
      conditionalAccess:
        all:
          json:
            value:

      """ + access("Compliant") + access("Idle", "disabled")
      + access("Reported", "enabledForReportingButNotEnforced")
      + access("Flows", "enabled", ", authenticationFlows: { transferMethods: deviceCodeFlow }")
      + access(
        "Spared", "enabled",
        ", devices: { deviceFilter: { mode: exclude, rule: device.isCompliant -eq True } }")
      + access("Risky", "enabled", ", userRiskLevels: [high]")
      + access("Admins", users: "includeRoles: [a]")
      + access("Joining", applications: #"includeUserActions: ["urn:user:registerdevice"]"#)
      + access("Elsewhere", applications: "includeApplications: [api://other]")

    /// MDM has enrolled the device for `anna`, and only an app configuration targets that account.
    private static let oneUser = """
      device: { mdm: { enrolled: true } }
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: ben@contoso.com }
      policies:
        every:
          json: { displayName: For every device, appGroupType: allApps }
          assign: [{ account: ben }]
      configurations:
        alone:
          json: { displayName: Alone, appGroupType: allApps, customSettings: [{ name: Server, value: a }] }
          assign: [{ account: anna }]
      apps:
        mail:
          bundle: com.contoso.mail
          sdk: true
          mdmManaged: true
          signedIn: [anna]
          configuration: { IntuneMAMUPN: anna@contoso.com }
      steps:
        - launch: mail
      """

    private static func explain(
      _ arguments: String..., of world: String = scenario, ends status: Int32? = nil
    ) throws -> Desk.Ended {
      let desk = try Desk()
      try desk.folder.write(world, to: "a.yaml")
      return try desk.sluice(
        ["explain", "device-state", "--scenario", "a.yaml"] + arguments, ends: status)
    }

    @Test func `the device-state explanation lists each policy with the reason for its targeting`()
      throws
    {
      let ended = try Self.explain("mail", ends: 0)
      #expect(
        ended.output == """
          mail (com.contoso.mail)
            the app integrates the Intune App SDK
            MDM enrolled the device for `anna@contoso.com`: no other account can enroll in this app (status 210)
            the device is enrolled in MDM, and the app's configuration has `IntuneMAMUPN`: policies treat the device as managed for that account, and as unmanaged for any other
          anna@contoso.com: managed, enrolled
            targeted: `For managed devices` (a.yaml): targeted by bundle id
            not targeted: `For unmanaged devices` (a.yaml): not targeted at managed devices
          ben@contoso.com: not managed, not signed in
            not targeted: `For managed devices` (a.yaml): not targeted at unmanaged devices; an enrolled device counts as unmanaged if the app's configuration does not name the account

          """)
    }

    @Test func `sluice explain device-state accepts an app's bundle id instead of its name`() throws
    {
      let byName = try Self.explain("mail", ends: 0).output
      #expect(try Self.explain("com.contoso.MAIL", ends: 0).output == byName)
      let unknown = try Self.explain("com.contoso.nothing", ends: 2)
      #expect(
        unknown.errors.contains("no app is called `com.contoso.nothing`; the apps are `mail`"))
    }

    /// The expected explanation for an app in a world.
    struct Said: CustomTestStringConvertible {
      let testDescription: String
      let world: String
      let app: String
      let sentences: [String]

      init(_ description: String, _ world: String, _ app: String, _ sentences: String...) {
        testDescription = description
        self.world = world
        self.app = app
        self.sentences = sentences
      }
    }

    @Test(arguments: [
      Said(
        "the missing conditions of management", scenario, "notes",
        "has no `IntuneMAMUPN`: policies treat the device as unmanaged",
        "has `IntuneMAMUPN `, which does not match"),
      Said("an app without the SDK", scenario, "plain", "so no policy applies in it"),
      Said(
        "MDM's documents", told, "served",
        "and the app's configuration has `IntuneMAMUPN`: policies treat the device as managed",
        "anna@contoso.com: managed, enrolled\n  targeted: `For managed"),
      Said(
        "an extension, by the accounts of its app", told, "clip",
        "the extension integrates the Intune App SDK",
        "accounts are signed in and enrolled in its app, `served`",
        "anna@contoso.com: managed, enrolled\n  targeted: `For managed"),
      Said(
        "an app that names another user", told, "other",
        "an enrolled device counts as unmanaged if the app's configuration does not name the account"
      ),
      Said(
        "an app that MDM does not manage", told, "store",
        "MDM does not manage the app, so `IntuneMAMUPN` has no effect in it: policies treat the device as unmanaged",
        "an enrolled device counts as unmanaged if the app's configuration does not name the account"
      ),
      Said(
        "an app without the SDK at which a policy is targeted", told, "plain",
        "not managed, signed in; without the SDK no policy applies"),
      Said(
        "the only user of a managed device, enrolled by a configuration alone", oneUser, "mail",
        "`anna@contoso.com`: no other account can enroll in this app (status 210)",
        "anna@contoso.com: not managed, enrolled only to get an app configuration; no policy protects the account",
        "ben@contoso.com: not managed, not signed in; MDM enrolled the device for another account"),
    ])
    func `the device-state explanation describes how an app is managed`(said: Said) throws {
      let output = try Self.explain(said.app, of: said.world).output
      for sentence in said.sentences { #expect(output.contains(sentence)) }
    }

    @Test func `the device-state explanation lists conditional access policies with their results`()
      throws
    {
      let mail = try Self.explain("mail", of: Self.access)
      let told = mail.output.split(separator: "\n").filter { $0.contains("conditional access") }
      #expect(
        told == [
          "  conditional access: `Compliant` (a.yaml): applies",
          "  conditional access: `Idle` (a.yaml): does not apply: it is disabled",
          "  conditional access: `Reported` (a.yaml): report only: applies",
          "  conditional access: `Flows` (a.yaml): does not apply: it targets only device code flow or authentication transfer",
          "  conditional access: `Spared` (a.yaml): does not apply: its filter excludes the device",
          "  conditional access: `Risky` (a.yaml): applies, with `userRiskLevels` assumed to be met",
          "  conditional access: `Admins` (a.yaml): unknown: only the directory knows whether `includeRoles` includes the account",
          "  conditional access: `Joining` (a.yaml): does not apply: it targets the user action `urn:user:registerdevice`, not tokens",
          "  conditional access: `Elsewhere` (a.yaml): applies; for tokens for `api://other` only",
        ], "\(mail.errors)")
      let json = try Self.explain("mail", "--format", "json", of: Self.access).json()
      let policies = json["accounts"]?.array?.first?["conditionalAccess"]?.array ?? []
      #expect(
        policies.map { $0["applies"]?.bool } == [
          true, false, false, false, false, true, nil, false, true,
        ])
      #expect(policies.dropFirst(6).first?["applies"]?.isNull == true)
      #expect(policies.last?["resources"]?.array?.compactMap(\.string) == ["api://other"])
      #expect(
        policies.dropLast().last?["userActions"]?.array?.compactMap(\.string)
          == ["urn:user:registerdevice"])
      #expect(
        policies.map { $0["state"]?.string }.prefix(3) == [
          "enabled", "disabled", "enabledForReportingButNotEnforced",
        ])
    }

    @Test func `the JSON of a device state has the account's state and targeted policies`() throws {
      let value = try Self.explain("mail", "--format", "json").json()
      let anna = try #require(value["accounts"]?.array?.first)
      #expect(anna["managed"]?.bool == true)
      #expect(anna["managementState"]?.string == "enrolled")
      #expect(anna["policies"]?.array?.compactMap { $0["targeted"]?.bool } == [true, false])
    }

    @Test func `the error about an unknown app in explain device-state lists the known apps`()
      throws
    {
      let ended = try Self.explain("male", ends: 2)
      #expect(
        ended.errors.contains(
          "no app is called `male`; the apps are `mail`, `notes`, `plain` [app]"))
    }
  }
}
