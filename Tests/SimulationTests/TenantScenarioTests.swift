import Simulation
import SimulationSupport
import TestSupport
import Testing

extension RealProcesses {
  /// Tests scenarios with the policies that a tenant's export assigns.
  @Suite struct TenantScenarioTests {
    // MARK: An export with users

    private static let example = Repository.path("examples/tenant")

    private static let apps = """
      apps:
        outlook:
          bundle: com.microsoft.Office.Outlook
          sdk: true
          multiIdentity: true
          multiManagedIdentities: true
          capabilities: [protapp]
          signedIn: [anna, ben, root]
        notes: { bundle: org.example.notes }
      """

    /// Returns the scenario of three users of `examples/tenant`: an office user, a field user, and
    /// an excluded user.
    private static func scenario(device: String = "{}", _ steps: String) -> String {
      """
      tenant: \(example)
      device: \(device)
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: BEN@contoso.com }
        root: { upn: root@contoso.com }
      \(apps)
      steps:
        - launch: [outlook, notes]
      \(steps)
      """
    }

    @Test func `each user has the policies that the tenant assigns`() throws {
      let played = try Stage().play(
        text: Self.scenario(
          """
            - switchIdentity: { app: outlook, to: anna }
              expect: { managed: true }
            - share: { from: outlook, to: notes, text: Figures }
              expect: { verdict: blocked, reason: sendManagedAppsToUnmanaged, end: refused }
            - switchIdentity: { app: outlook, to: ben }
              expect: { managed: true }
            - share: { from: outlook, to: notes, text: Route }
              expect: { verdict: allowed, end: delivered }
          """))
      expectPass(played)
      #expect(played.journals[0].contains("AppProtection/Office staff.json:4"))
    }

    @Test func `a policy that excludes a user does not protect that user`() throws {
      expectPass(
        try Stage().play(
          text: Self.scenario(
            """
              - switchIdentity: { app: outlook, to: root }
                expect: { managed: false }
              - share: { from: outlook, to: notes, text: Figures }
                expect: { verdict: allowed, reason: noRuleApplied, end: delivered }
            """)))
    }

    @Test(arguments: [("17.2", true), ("16.7", false)])
    func `the device determines the result of an assignment filter`(
      osVersion: String, isManaged: Bool
    ) throws {
      expectPass(
        try Stage().play(
          text: Self.scenario(
            device: "{ osVersion: \"\(osVersion)\" }",
            """
              - switchIdentity: { app: outlook, to: ben }
                expect: { managed: \(isManaged) }
            """)))
    }

    @Test func `the tenant's configurations and conditional access apply to the scenario's users`()
      throws
    {
      expectPass(
        try Stage().play(
          text: Self.scenario(
            """
              - configuration: { app: outlook, account: anna, key: com.microsoft.outlook.Mail.FocusedInbox }
                expect: { value: "false" }
              - configuration: { app: outlook, account: ben, key: com.microsoft.outlook.Mail.FocusedInbox }
                expect: { values: [] }
              - acquireToken: { app: outlook, account: anna, resource: "https://graph.microsoft.com" }
                expect: { verdict: allowed, reason: protectionApplied }
              - acquireToken: { app: outlook, account: root, resource: "https://graph.microsoft.com" }
                expect: { verdict: allowed, reason: tokenUnconditional }
            """)))
    }

    // MARK: An export without users

    private static let office = "11111111-1111-4111-8111-111111111111"
    private static let field = "22222222-2222-4222-8222-222222222222"

    private static func policy(
      _ name: String, sending destinations: String, to group: String, except other: String? = nil
    ) -> String {
      let exclusion = other.map {
        ##", {"target": {"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "\##($0)"}}"##
      }
      return ##"""
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)",
         "allowedOutboundDataTransferDestinations": "\##(destinations)",
         "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
         "assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "\##(group)"}}\##(exclusion ?? "")]}
        """##
    }

    /// Returns a workspace with an export that lists groups only by id. The folder `after` has an
    /// export with other assignments.
    private static func workspace() throws -> Workspace {
      let workspace = try Workspace()
      try workspace.write(
        policy("Strict", sending: "managedApps", to: office, except: field), to: "before/a.json")
      try workspace.write(policy("Loose", sending: "allApps", to: field), to: "before/b.json")
      try workspace.write(
        policy("Strict", sending: "managedApps", to: field), to: "after/a.json")
      return workspace
    }

    private static func scenario(
      tenant: String, anna: String = "", ben: String = "", _ steps: String
    ) -> String {
      """
      tenant: \(tenant)
      accounts:
        anna: { upn: anna@contoso.com\(anna) }
        ben: { upn: ben@contoso.com\(ben) }
      apps:
        mail:
          bundle: com.contoso.mail
          sdk: true
          multiIdentity: true
          multiManagedIdentities: true
          signedIn: [anna, ben]
        viewer: { bundle: org.example.viewer }
      steps:
        - launch: [mail, viewer]
      \(steps)
      """
    }

    @Test func `groups stated for an account apply if the tenant's export lists no members`() throws
    {
      let workspace = try Self.workspace()
      expectPass(
        try Stage().play(
          text: Self.scenario(
            tenant: workspace.path("before"), anna: ", groups: [\(Self.office)]",
            ben: ", groups: [\(Self.office), \(Self.field)]",
            """
              - switchIdentity: { app: mail, to: anna }
              - share: { from: mail, to: viewer, text: Figures }
                expect: { verdict: blocked, reason: sendManagedAppsToUnmanaged }
              - switchIdentity: { app: mail, to: ben }
                expect: { managed: true }
              - share: { from: mail, to: viewer, text: Route }
                expect: { verdict: allowed }
            """)))
    }

    @Test func `a step replaces the tenant's assignments while apps run`() throws {
      let workspace = try Self.workspace()
      expectPass(
        try Stage().play(
          text: Self.scenario(
            tenant: workspace.path("before"), anna: ", groups: [\(Self.office)]",
            ben: ", groups: [\(Self.field)]",
            """
              - switchIdentity: { app: mail, to: ben }
              - share: { from: mail, to: viewer, text: Route }
                expect: { verdict: allowed }
              - tenant: \(workspace.path("after"))
              - share: { from: mail, to: viewer, text: Route }
                expect: { verdict: blocked, reason: sendManagedAppsToUnmanaged }
              - switchIdentity: { app: mail, to: anna }
                expect: { managed: false }
            """)))
    }

    @Test func `on a tenant's managed device, Intune sets the managed user of Outlook`() throws {
      let workspace = try Workspace()
      for (level, isBlocked) in [("mdm", true), ("unmanaged", false)] {
        try workspace.write(
          ##"""
          {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(level)",
           "targetedAppManagementLevels": "\##(level)", "printBlocked": \##(isBlocked),
           "apps": [{"mobileAppIdentifier": {"bundleId": "com.microsoft.Office.Outlook"}},
                    {"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
           "assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "\##(Self.office)"}}]}
          """##, to: "export/\(level).json")
      }
      expectPass(
        try Stage().play(
          text: """
            tenant: \(workspace.path("export"))
            device: { mdm: { enrolled: true } }
            accounts:
              private: { upn: anna@example.org }
              anna: { upn: anna@contoso.com, groups: [\(Self.office)] }
            apps:
              outlook: { bundle: com.microsoft.Office.Outlook, sdk: true, mdmManaged: true, signedIn: [anna] }
              mail: { bundle: com.contoso.mail, sdk: true, mdmManaged: true, signedIn: [anna] }
            steps:
              - launch: [outlook, mail]
              - use: { app: outlook, feature: print }
                expect: { verdict: blocked, decidedBy: printingBlocked }
              - use: { app: mail, feature: print }
                expect: { verdict: allowed, decidedBy: printingAllowed }
            """))
    }

    // MARK: Errors

    @Test(arguments: [
      (
        "before", "",
        "contains no users; state the `groups` of the account, as in `groups: []`; the account then counts as a user"
      ),
      ("before", ", groups: [Salez]", "names no group `Salez`"),
      (
        "users", "",
        "does not state whether anna@contoso.com is in `11111111-1111-4111-8111-111111111111`"
      ),
      ("users", "", "state it in the account's `groups`, as in `groups: [1111"),
      ("strangers", "", "no account of the scenario is a user of the export"),
      ("strangers", "", "did you mean `ana@contoso.com`?"),
      ("before/a.json", "", "is not a folder; a tenant is the folder of an export"),
      ("befor", "", "there is no file or folder"),
    ])
    func `if the tenant's export lacks facts, the error cites the account that needs the facts`(
      folder: String, anna: String, message: String
    ) throws {
      let workspace = try Self.workspace()
      for (name, user) in [("users", "anna@contoso.com"), ("strangers", "ana@contoso.com")] {
        try workspace.write(
          Self.policy("Strict", sending: "managedApps", to: Self.office), to: "\(name)/a.json")
        try workspace.write(
          #"{"value": [{"userPrincipalName": "\#(user)"}]}"#, to: "\(name)/u.json")
      }
      let file = try workspace.write(
        Self.scenario(tenant: folder, anna: anna, ""), to: "scenario.yaml")
      let run = ScenarioRun(
        RunSettings(
          programs: .installed(in: Repository.programs), folder: workspace.path("devices")))
      let error = #expect(throws: RunError.self) { try run.prepare(ScenarioFiles.read(file)) }
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
      #expect(error?.description.contains("scenario.yaml:") == true)
    }

    @Test func `a UPN that is not in the tenant causes a warning with a suggestion`() throws {
      let workspace = try Self.workspace()
      let file = try workspace.write(
        Self.scenario(device: "{}", "").replacing("upn: anna@", with: "upn: ana@"),
        to: "scenario.yaml")
      let run = ScenarioRun(
        RunSettings(
          programs: .installed(in: Repository.programs), folder: workspace.path("devices")))
      let warnings = try run.prepare(ScenarioFiles.read(file)).warnings
      #expect(
        warnings.contains {
          $0.contains("contains no user `ana@contoso.com`")
            && $0.contains("did you mean `anna@contoso.com`?")
        }, "\(warnings)")
    }
  }
}
