import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests extensions on a running device, as seen by clients of its control socket.
  @Suite struct RunningExtensionTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test
    func `sluice ctl reads an extension's kind from the bundle and prints the extension's result`()
      throws
    {
      try desk.sluice("new", "extension", "Loud", "--kind", "action", ends: 0)
      let scenario = try desk.folder.read("Loud.yaml")
      try desk.folder.write(
        scenario.replacingOccurrences(of: "extension: action, ", with: ""), to: "Loud.yaml")
      let device = try UpDevice(desk.folder.path("Loud.yaml"), at: desk)
      let apps = try device.sluice("ctl", "apps", "--format", "json")
      #expect(apps.output.contains(#""extension":"action""#))
      try device.sluice("ctl", "launch", "viewer", ends: 0)
      let shared = try device.sluice("ctl", "share", "from=viewer", "to=loud", "text=hello")
      #expect(shared.output.contains("handed back `HELLO`"))
    }
  }
}
