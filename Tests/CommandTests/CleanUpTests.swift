import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests that processes and files of guests are removed with their device, however the command
  /// ends.
  @Suite struct CleanUpTests {
    private let desk: Desk
    private var temporary: String { desk.folder.path("temporary") }

    init() throws {
      desk = try Desk()
      try desk.folder.write("", to: "temporary/.keep")
      // The device's folder must be separate from the files that its programs may read.
      try desk.folder.write("", to: "programs/.keep")
      try desk.folder.copy("\(Repository.programs)/hostile-guest", to: "programs/hostile-guest")
      try Executable.make(desk.folder.path("programs/hostile-guest"))
    }

    /// Writes a scenario with an app that misbehaves in one way.
    private func write(_ mode: String, then steps: String) throws {
      let program = try desk.folder.write(
        #"#!/bin/sh\#nexec "${0%/*}/hostile-guest" \#(mode)\#n"#, to: "programs/odd.sh")
      try Executable.make(program)
      try desk.folder.write(
        """
        apps: { odd: { bundle: org.example.odd, executable: programs/odd.sh } }
        steps:
          - launch: odd
        \(steps)
        """, to: "odd.yaml")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [[], ["--output-dir", "temporary/kept"]])
    func `no guest process remains after a signal ends sluice run`(
      number: Int32, options: [String]
    ) throws {
      try write("runaway", then: "  - advance: PT1S\n    repeat: 1000000")
      let process = try desk.start(
        "/usr/bin/env", ["--default-signal", Desk.program, "run", "odd.yaml"] + options,
        variables: ["TMPDIR": temporary])
      // Both the guest and the process that escaped from its group must be running.
      try waitUntil("both run") { !process.isRunning || Guests(of: temporary).count == 2 }
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      let printed = try desk.folder.read(".output") + desk.folder.read(".errors")
      #expect(process.terminationReason == .uncaughtSignal, "\(printed)")
      #expect(process.terminationStatus == number)
      #expect(try desk.folder.read(".errors").isEmpty)
      #expect(!Guests(of: temporary).areRunning)
      let left = try FileManager.default.contentsOfDirectory(atPath: temporary).sorted()
      #expect(left == (options.isEmpty ? [".keep"] : [".keep", "kept"]))
    }

    @Test func `no guest process remains after a scenario`() throws {
      try write("runaway", then: "  - stop: odd")
      try desk.sluice(
        "run", "odd.yaml", "--output-dir", "temporary/kept", variables: ["TMPDIR": temporary],
        ends: 0)
      #expect(!Guests(of: temporary).areRunning)
    }

    @Test func `the temporary folder is removed even if a guest creates overlong paths`() throws {
      try write("burrow", then: "")
      let ended = try desk.sluice("run", "odd.yaml", variables: ["TMPDIR": temporary])
      #expect(ended.errors.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [".keep"])
    }

    @Test
    func
      `a journal at the file size limit stops the device with an error, and the next run continues`()
      throws
    {
      try desk.folder.write(Samples.endless, to: "endless.yaml")
      try desk.folder.write(Samples.endless.replacing("1000000", with: "2"), to: "short.yaml")
      try desk.sluice("device", "create", "phone", "--scenario", "endless.yaml", ends: 0)
      // The limit sets the maximum file size to 1 MiB.
      let ended = try desk.run(
        "/bin/sh",
        [
          "-c", #"trap '' XFSZ; ulimit -f 2048; exec "$0" run endless.yaml --device phone"#,
          Desk.program,
        ], ends: 70)
      #expect(
        ended.errors.hasPrefix("sluice: error: the device has stopped: cannot write the journal `"))
      #expect(ended.errors.hasSuffix("`: File too large [device]\n"))
      #expect(!Guests(of: desk.folder.path("phone")).areRunning)
      try desk.sluice("run", "short.yaml", "--device", "phone", ends: 0)
    }
  }
}
