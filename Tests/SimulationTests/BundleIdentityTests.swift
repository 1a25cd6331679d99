import Foundation
import Host
import Simulation
import SimulationSupport
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the scenario facts that property lists of apps provide, and contradictions between the
  /// two.
  @Suite struct BundleIdentityTests {
    private static func list(_ body: String) -> String {
      "<plist version=\"1.0\">\n<dict>\n\(body)\n</dict>\n</plist>\n"
    }

    private static let rights = list(
      """
      <key>com.apple.developer.team-identifier</key>
      <string>ABCDE12345</string>
      """)

    @Test func `Programs.ofBundles lists the executables that shipped bundles do not contain`()
      throws
    {
      let bundles = try ["examples", "plugins"].flatMap { folder in
        try FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))
          .map { Repository.path("\(folder)/\($0)") }
      }
      let programs = bundles.compactMap { bundle -> String? in
        guard let data = FileManager.default.contents(atPath: "\(bundle)/Info.plist"),
          let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
          let name = (list as? [String: Any])?["CFBundleExecutable"] as? String,
          !name.contains("$("), !FileManager.default.fileExists(atPath: "\(bundle)/\(name)")
        else { return nil }
        return name
      }
      #expect(Set(programs) == Set(DeviceConfiguration.Programs.ofBundles.keys))
    }

    /// Plays a scenario in which org data is sent to an app with the SDK whose bundle id is in the
    /// policy.
    private static func play(_ app: String, identifier: String?) throws -> StageResult {
      let folder = try Workspace()
      let stated =
        identifier.map { "<key>CFBundleIdentifier</key>\n<string>\($0)</string>\n" } ?? ""
      try folder.write(
        list(stated + "<key>IntuneMAMSettings</key><dict/>"), to: "Notes.app/Info.plist")
      try folder.write(rights, to: "Notes.app/Notes.entitlements")
      let file = try folder.write(
        """
        accounts:
          anna: { upn: anna@contoso.com }
        policies:
          base:
            json: { displayName: Base, allowedOutboundDataTransferDestinations: managedApps }
            assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.Notes] }]
        apps:
          mail: { bundle: com.contoso.mail, team: ABCDE12345, sdk: true, signedIn: [anna] }
          notes: { \(app), signedIn: [anna] }
        steps:
          - launch: [mail, notes]
          - share: { from: mail, to: notes, text: hello }
            expect: { verdict: allowed, decidedBy: sendManagedAppsToManaged, end: delivered }
        """, to: "scenario.yaml")
      return try Stage().play(file)
    }

    @Test(
      arguments: [
        ("path: Notes.app", "com.contoso.Notes"),
        ("path: Notes.app, bundle: com.contoso.notes, team: abcde12345", "com.contoso.Notes"),
        ("path: Notes.app, bundle: com.contoso.notes", "$(PRODUCT_BUNDLE_IDENTIFIER)"),
        ("path: Notes.app, bundle: com.contoso.notes", nil),
      ] as [(String, String?)])
    func `an app's identity comes from its property lists or the scenario`(
      app: String, identifier: String?
    ) throws {
      let played = try Self.play(app, identifier: identifier)
      expectPass(played)
    }

    @Test(
      arguments: [
        (
          "path: Notes.app, bundle: com.contoso.note", "com.contoso.notes",
          "the `bundle` of `notes` is `com.contoso.note` here and `com.contoso.notes` in #/Info.plist:3:1; "
            + "leave it out here, or make them the same [conflicting-keys]"
        ),
        (
          "path: Notes.app, team: OTHER12345", "com.contoso.notes",
          "the `team` of `notes` is `OTHER12345` here and `ABCDE12345` in #/Notes.entitlements:3:1; leave it "
            + "out here, or make them the same [conflicting-keys]"
        ),
        (
          "path: Notes.app", "com.contoso.$(PRODUCT_NAME)",
          "`CFBundleIdentifier` is `com.contoso.$(PRODUCT_NAME)`, a variable without a value, in "
            + "#/Info.plist:3:1; state the `bundle` of `notes` [missing-key]"
        ),
        (
          "path: Notes.app", nil,
          "`CFBundleIdentifier` is missing in #/Info.plist:2:1; state the `bundle` of `notes` [missing-key]"
        ),
        (
          "path: Notes.app", "com.contoso.my_notes",
          "#/Info.plist:3:1 states `com.contoso.my_notes`, which is not a bundle id; state the `bundle` of "
            + "`notes` [invalid-value]"
        ),
      ] as [(String, String?, String)])
    func `a wrong or conflicting bundle id or team is reported with both positions`(
      app: String, identifier: String?, message: String
    ) {
      let error = #expect(throws: RunError.self) {
        try Self.play(app, identifier: identifier)
      }
      let parts = message.split(separator: "#", omittingEmptySubsequences: false)
      let found = error?.description ?? ""
      #expect(found.contains("scenario.yaml:9:3: error: \(parts[0])"), "\(found)")
      #expect(found.hasSuffix("Notes.app\(parts[1])"), "\(found)")
    }
  }

  /// Tests extensions and the apps that contain them.
  @Suite struct ContainmentTests {
    private static let plugIn = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.viewer.clip</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>com.apple.share-services</string></dict>POINT</dict></plist>
      """

    private static func play(_ apps: String, settings: String = "") throws -> StageResult {
      let workspace = try Workspace()
      try workspace.write(
        plugIn.replacing("POINT", with: settings), to: "Clip.appex/Info.plist")
      try workspace.write(
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>",
        to: "Plain.app/Info.plist")
      let file = try workspace.write(
        "apps:\n  viewer: { bundle: org.example.viewer }\n  \(apps)\nsteps:\n  - launch: viewer\n",
        to: "scenario.yaml")
      return try Stage().play(file)
    }

    @Test(
      arguments: [
        (
          "clip: { bundle: org.example.viewer.clip, path: Clip.appex }", "",
          "the containing app of the extension `clip` is unknown; state its `containingApp`"
        ),
        (
          "clip: { bundle: org.example.viewer.clip, path: Clip.appex }",
          "<key>IntuneMAMSettings</key><dict><key>ContainingAppBundleId</key><string>org.example.maps</string></dict>",
          "the app `org.example.maps`, which contains the extension `clip`, is not in the scenario; add it to `apps`"
        ),
        (
          "plain: { bundle: a.b, path: Plain.app, containingApp: viewer }", "",
          "only an extension has a `containingApp`; `plain` is an app according to its bundle"
        ),
      ])
    func `an extension without a valid containing app is an error`(
      app: String, settings: String, message: String
    ) {
      let error = #expect(throws: RunError.self) { try Self.play(app, settings: settings) }
      #expect(error?.description.contains(":3:3: error: \(message) [") == true, "\(error as Any)")
    }

    @Test func `an extension's bundle may be declared within an app`() throws {
      let played = try Self.play(
        "clip: { bundle: org.example.viewer.clip, path: Clip.appex, containingApp: viewer }")
      expectPass(played)
    }

    @Test func `an app can call its own extension if the scenario states no team`() throws {
      let played = try Stage().play(
        text: """
          apps:
            viewer: { bundle: org.example.viewer }
            vpn: { bundle: org.example.viewer.vpn, extension: packetTunnel, containingApp: viewer }
          steps:
            - launch: viewer
            - callExtension: { app: viewer, extension: vpn, text: hello }
              expect: { verdict: allowed, end: delivered }
          """)
      expectPass(played)
    }
  }
}
