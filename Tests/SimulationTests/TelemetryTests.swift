import Model
import TestSupport
import Testing

extension RealProcesses {
  /// What the SDK would tell Microsoft.
  @Suite struct TelemetryTests {
    private static func scenario(telemetry: String = "true", app: String = "") -> String {
      """
      device: { telemetry: \(telemetry), mdm: { enrolled: true } }
      accounts:
        anna: { upn: anna@contoso.com }
        private: { upn: anna@example.org }
      policies:
        base: { json: { displayName: Base, appGroupType: allApps }, assign: [{ account: anna }] }
      apps:
        mail: { bundle: com.contoso.mail, team: CONTOSO123, sdk: true, multiIdentity: true, mdmManaged: true\(app) }
        viewer: { bundle: org.example.viewer, team: EXAMPLE456 }
      steps:
        - launch: [mail, viewer]
        - signIn: { app: mail, account: anna }
        - signIn: { app: mail, account: private }
        - share: { from: mail, to: viewer, text: one }
        - share: { from: mail, to: viewer, text: two, via: os }
        - copy: { app: mail, text: three }
        - share: { from: viewer, to: mail, text: four }
        - signOut: { app: mail, account: anna }
        - relaunch: mail
      """
    }

    private func telemetry(_ scenario: String) throws -> [Telemetry] {
      let journal = try #require(try Stage().play(text: scenario).journals.first)
      return try journal.split(separator: "\n").compactMap { line in
        guard case .telemetryRecorded(let telemetry) = try JournalEvent(line: String(line)).kind
        else { return nil }
        return telemetry
      }
    }

    private func event(
      _ kind: Telemetry.Kind, _ management: Telemetry.Management, _ call: String? = nil,
      _ result: String? = nil
    ) -> Telemetry {
      Telemetry(
        app: "com.contoso.mail", kind: kind, management: management, call: call, result: result)
    }

    @Test func `launches, enrollment calls and actions are told, and nobody is named`() throws {
      #expect(
        try telemetry(Self.scenario()) == [
          event(.launch, .mdmOnly),
          event(.enrollment, .mamWithMDM, "registerAndEnroll", "enrolled"),
          event(.enrollment, .mamWithMDM, "registerAndEnroll", "notTargeted"),
          event(.action, .mamWithMDM, "share", "allowed"),
          event(.action, .mamWithMDM, "copy", "allowed"),
          event(.enrollment, .mdmOnly, "deRegisterAndUnenroll", "unenrolled"),
          event(.launch, .mdmOnly),
        ])
    }

    @Test func `enrollment calls are told with the service's answers, and are no actions`() throws {
      let told = try telemetry(
        """
        device: { telemetry: true, service: { reachable: false } }
        accounts:
          anna: { upn: anna@contoso.com }
        policies:
          base: { json: { displayName: Base, appGroupType: allApps }, assign: [{ account: anna }] }
        apps:
          mail: { bundle: com.contoso.mail, team: CONTOSO123, sdk: true }
        steps:
          - launch: mail
          - unenroll: { app: mail, account: anna }
          - register: { app: mail, account: anna }
          - service: { reachable: true }
          - login: { app: mail, account: anna }
          - remediate: { app: mail, account: anna }
          - acquireToken: { app: mail, account: anna, resource: https://graph.microsoft.com }
          - unenroll: { app: mail, account: anna }
        """)
      let (enroll, unenroll) = ("registerAndEnroll", "deRegisterAndUnenroll")
      #expect(
        told == [
          event(.launch, .unmanaged),
          event(.enrollment, .unmanaged, unenroll, "appNotEnrolled"),
          event(.enrollment, .unmanaged, enroll, "enrollmentEndPointNetworkFailure"),
          event(.enrollment, .mamOnly, "loginAndEnroll", "newPoliciesReceived"),
          event(.enrollment, .unmanaged, unenroll, "unenrollmentSuccess"),
        ])
    }

    @Test(arguments: [("false", ""), ("true", ", telemetryDisabled: true")])
    func `nothing is told unless asked for, nor of an app that opts out`(
      telemetry: String, app: String
    ) throws {
      #expect(try self.telemetry(Self.scenario(telemetry: telemetry, app: app)).isEmpty)
    }

    @Test(arguments: [("<true/>", true), ("<false/>", false)])
    func `an app opts out in its bundle`(value: String, isOptedOut: Bool) throws {
      let workspace = try Workspace()
      try workspace.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.contoso.mail</string>
        <key>CFBundlePackageType</key><string>APPL</string>
        <key>IntuneMAMSettings</key><dict><key>MAMTelemetryDisabled</key>\(value)</dict>
        </dict></plist>
        """, to: "Mail.app/Info.plist")
      let told = try telemetry(
        """
        device: { telemetry: true }
        apps:
          mail:
            bundle: com.contoso.mail
            team: CONTOSO123
            sdk: true
            path: \(workspace.path("Mail.app"))
        steps:
          - launch: mail
        """)
      #expect(told.isEmpty == isOptedOut)
    }
  }
}
