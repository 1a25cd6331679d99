import Foundation
import Model
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// A guest has its container, and nothing of the device or of other guests.
  @Suite struct ConfinementTests {
    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `no way leads out of the container`() throws {
      let trace = NSTemporaryDirectory() + "sluice-trace-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: trace) }
      let lab = try Lab { $0.trace = .file(trace) }
      try lab.app("sibling")
      let secret = lab.device.containerPath(of: "sibling") + "/secret"
      try Data("canary".utf8).write(to: URL(fileURLWithPath: secret))
      let targets = [
        secret, lab.device.containerPath(of: "sibling"), lab.device.journalPath,
        lab.device.storage.folders.database, "/etc/passwd", "/root", "/tmp", "/proc",
      ]
      try lab.hostile("escape", targets)
      lab.wait("the attempts") {
        (try? String(contentsOfFile: trace, encoding: .utf8))?.contains("socket tcp") ?? false
      }
      let attempts = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains(" hostile: ") && !$0.contains("pid") }
      #expect(attempts.count > targets.count * 2)
      #expect(attempts.filter { $0.hasSuffix("OPENED") || $0.hasSuffix("EFAULT") } == [])
      try lab.expectService()
      lab.close()
    }

    @Test func `a guest has descriptors 0 to 3 and an empty environment`() async {
      // The environment is all tests'.
      await #expect(processExitsWith: .success) { try Self.expectNothingInherited() }
    }

    private static func expectNothingInherited() throws {
      setenv("SLUICE_CANARY", "of the host", 1)
      let lab = try Lab()
      let workspace = try Workspace()
      // /proc is out of reach, so the shell tries each descriptor.
      let script = try workspace.write(
        """
        #!/bin/sh
        for n in 4 5 6 7 8 9; do (: <&$n) 2>/dev/null && echo "$n" >> open; done
        set > environment
        exit 0
        """, to: "look.sh")
      try Executable.make(script)
      try lab.install(executable: script, name: "look")
      lab.launch(["look"])
      let container = lab.device.containerPath(of: "look")
      #expect(!FileManager.default.fileExists(atPath: container + "/open"))
      let environment = try String(contentsOfFile: container + "/environment", encoding: .utf8)
      #expect(!environment.contains("SLUICE_CANARY"))
      lab.close()
    }

    @Test func `a program beside which the device lies is not started`() throws {
      let lab = try Lab()
      for folder in [
        lab.device.storage.folders.root,
        (lab.device.storage.folders.root as NSString).deletingLastPathComponent,
      ] {
        let script = "\(folder)/look-\(UUID().uuidString).sh"
        defer { try? FileManager.default.removeItem(atPath: script) }
        try "#!/bin/sh\ncat */device.sqlite device.sqlite\n".write(
          toFile: script, atomically: true, encoding: .utf8)
        try Executable.make(script)
        let name = "look\(folder.count)"
        try lab.install(executable: script, name: name)
        lab.launch([name])
        #expect(lab.exits(of: name) == ["notStarted"])
      }
      lab.close()
    }

    @Test(arguments: ["/proc/nowhere/to/be/found", "/etc/passwd", "/etc"])
    func `an executable that is none`(path: String) throws {
      let lab = try Lab()
      try lab.install(executable: path, name: "broken")
      lab.launch(["broken"])
      #expect(lab.exits(of: "broken") == ["notStarted"])
      try lab.expectService()
      lab.close()
    }

    @Test func `a container that cannot be made`() throws {
      let lab = try Lab()
      try lab.device.install(AppDescription(name: "homeless", bundleID: "com.example.homeless"))
      let folder = lab.device.storage.folders.root + "/Containers"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: folder + "/homeless"))
      lab.launch(["homeless"])
      #expect(lab.exits(of: "homeless") == ["notStarted"])
      try lab.expectService()
      lab.close()
    }

    @Test func `guests die with their host`() throws {
      let scenario = NSTemporaryDirectory() + "sluice-orphans-\(UUID().uuidString).yaml"
      defer { try? FileManager.default.removeItem(atPath: scenario) }
      try """
      apps: { lonely: { bundle: com.example.lonely, count: 3 } }
      steps:
        - launch: lonely
        - share: { from: lonely-1, to: lonely-2, text: hello }
          repeat: 1000000
      """.write(toFile: scenario, atomically: true, encoding: .utf8)
      let host = try StartedProgram(Lab.programs + "/sluice", ["run", scenario])
      defer {
        kill(host.processIdentifier, SIGKILL)
        host.waitUntilExit()
      }
      var children: [Int32] = []
      try waitUntil("the guests run") {
        children = Self.children(of: host.processIdentifier)
        // Three, and the zygote that they come from, which may have forked the next one.
        return children.count >= 4
      }
      kill(host.processIdentifier, SIGKILL)
      try waitUntil("the guests are gone") { children.allSatisfy { kill($0, 0) != 0 } }
    }

    private static func children(of pid: Int32) -> [Int32] {
      let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }
}
