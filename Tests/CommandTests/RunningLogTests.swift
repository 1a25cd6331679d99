import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the output of guests on a running device, as requested by clients of its control socket.
  @Suite struct RunningLogTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `sluice ctl log compares an app's log lines with the expected line`() throws {
      try desk.folder.write(#"app.launched(function() log("hello") end)\#n"#, to: "main.lua")
      try desk.folder.write(
        "apps: { talker: { bundle: org.example.talker, executable: main.lua } }\nsteps: [{ wait: idle }]\n",
        to: "device.yaml")
      let device = try UpDevice(desk.folder.path("device.yaml"), at: desk)
      try device.sluice("ctl", "launch", "talker", ends: 0)
      let missed = try device.sluice("ctl", "log", "talker", "expect.said=goodbye", ends: 1)
      #expect(missed.output.contains("expected a line with `goodbye`, found `hello`"))
      let nothing = try device.sluice("ctl", "log", "talker", "expect.said=hello")
      #expect(nothing.output.contains("found no line"))
    }
  }
}
