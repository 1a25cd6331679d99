import Declarations
import Model
import Policy
import Testing

@testable import Host

extension RealProcesses {
  /// Declarations that do not let the device launch an app.
  @Suite struct AppAccessTests {
    private static func denying(_ bundle: String) -> DeclarationSet {
      let text = """
        [{"Type": "com.apple.activation.simple", "Identifier": "on", "ServerToken": "1",
        "Payload": {"StandardConfigurations": ["none"]}},
        {"Type": "com.apple.configuration.app.settings", "Identifier": "none", "ServerToken": "1",
        "Payload": {"Allowed": {"DeniedApps": ["\(bundle)"]}}}]
        """
      return DeclarationSet(
        DeclarationFolder(name: "folder", files: ["all.json": Array(text.utf8)]))
    }

    @Test
    func `an app that runs when it is denied ends, and comes up when it is not denied any longer`()
      throws
    {
      let lab = try Lab { $0.state.isMDMEnrolled = true }
      try lab.app("notes", bundle: "com.contoso.notes")
      try lab.app("mail", bundle: "com.contoso.mail")
      try lab.device.management.apply(Self.denying("com.contoso.notes"))
      lab.wait("the end of notes") { !lab.device.guests.isRunning("notes") }
      #expect(lab.device.guests.isRunning("mail"))
      #expect(lab.device.management.ban(on: "notes") == .denied(by: "none"))
      lab.launch(["notes"])
      #expect(
        lab.device.guests.exitCause(of: "notes")
          == .notStarted("the declaration `none` denies it (`DeniedApps`)"))
      try lab.device.management.apply(DeclarationSet())
      lab.launch(["notes"])
      #expect(lab.device.guests.isRunning("notes"))
      lab.close()
    }
  }
}
