import Scenario
import Simulation
import TestSupport
import Testing

extension RealProcesses {
  /// Extensions and the apps that contain them.
  @Suite struct ContainmentTests {
    private static let plugIn = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.viewer.clip</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>com.apple.share-services</string></dict>POINT</dict></plist>
      """

    private static func play(_ apps: String, settings: String = "") throws -> Performance {
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
          "nobody says which app contains the extension `clip`; state its `containingApp`"
        ),
        (
          "clip: { bundle: org.example.viewer.clip, path: Clip.appex }",
          "<key>IntuneMAMSettings</key><dict><key>ContainingAppBundleId</key><string>org.example.maps</string></dict>",
          "the app `org.example.maps`, which contains the extension `clip`, is not in the scenario"
        ),
        (
          "plain: { bundle: a.b, path: Plain.app, containingApp: viewer }", "",
          "only an extension has a `containingApp`; by its bundle `plain` is an app"
        ),
      ])
    func `an extension is in an app of the scenario`(
      app: String, settings: String, message: String
    ) {
      let error = #expect(throws: RunError.self) { try Self.play(app, settings: settings) }
      #expect(error?.description.contains(":3:3: error: \(message) [") == true, "\(error as Any)")
    }

    @Test func `a bundle that is an extension may be said to be in an app`() throws {
      let played = try Self.play(
        "clip: { bundle: org.example.viewer.clip, path: Clip.appex, containingApp: viewer }")
      #expect(played.result.outcome == .passed)
    }

    @Test func `an extension is of the publisher of its app`() throws {
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
      #expect(played.result.outcome == .passed, "\(played.result)")
    }
  }
}
