import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// A guest can access its container, and no files of the device or of other guests.
  @Suite struct ConfinementTests {
    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `a guest can reach no path outside its container`() throws {
      let lab = try Lab.tracing(apps: ["sibling"])
      let secret = lab.device.containerPath(of: "sibling") + "/secret"
      try Data("canary".utf8).write(to: URL(fileURLWithPath: secret))
      let targets = [
        secret, lab.device.containerPath(of: "sibling"), lab.device.journalPath,
        lab.device.storage.folders.database, "/etc/passwd", "/root", "/tmp", "/proc",
      ]
      try lab.hostile("escape", targets)
      lab.wait("the attempts") { lab.trace.contains("socket tcp") }
      let attempts = lab.trace.split(separator: "\n")
        .filter { $0.contains(" hostile: ") && !$0.contains("pid") }
      #expect(attempts.count > targets.count * 2)
      #expect(attempts.filter { $0.hasSuffix("OPENED") || $0.hasSuffix("EFAULT") } == [])
      try lab.closeInService()
    }

    @Test func `a guest has descriptors 0 to 3 and an empty environment`() async {
      // The environment is shared by all tests.
      await #expect(processExitsWith: .success) { try Self.expectNothingInherited() }
    }

    private static func expectNothingInherited() throws {
      setenv("SLUICE_CANARY", "of the host", 1)
      let lab = try Lab()
      let workspace = try Workspace()
      // /proc is not accessible, so the shell tries each descriptor.
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
      #expect(lab.file("open", of: "look") == nil)
      let environment = try #require(lab.file("environment", of: "look"))
      #expect(!environment.contains("SLUICE_CANARY"))
      lab.close()
    }

    @Test func `a guest program within the device's folder is rejected`() throws {
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

    @Test func `an app with a non-executable program or an uncreatable container does not start`()
      throws
    {
      let lab = try Lab()
      for (index, path) in ["/proc/nowhere/to/be/found", "/etc/passwd", "/etc"].enumerated() {
        try lab.install(executable: path, name: "broken-\(index)")
        lab.launch(["broken-\(index)"])
        #expect(lab.exits(of: "broken-\(index)") == ["notStarted"], "\(path)")
      }
      try lab.device.install(AppDescription(name: "homeless", bundleID: "com.example.homeless"))
      let folder = lab.device.storage.folders.root + "/Containers"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: folder + "/homeless"))
      lab.launch(["homeless"])
      #expect(lab.exits(of: "homeless") == ["notStarted"])
      try lab.closeInService()
    }

    @Test func `guest processes end when their host process is killed`() throws {
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
        // The children are three guests and their zygote, which may have forked the next guest.
        return children.count >= 4
      }
      kill(host.processIdentifier, SIGKILL)
      try waitUntil("the guests are gone") { children.allSatisfy { kill($0, 0) != 0 } }
    }

    static func children(of pid: Int32) -> [Int32] {
      let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Makes the attempts of `escape-attempts` in every kind of program that a device runs. The
  /// results are the same.
  @Suite(.enabled(if: Lab.canConfineFully && Lab.promises.contains(.mounts)))
  struct ProgramEscapeTests {
    /// A program that performs the attempts and writes the results to the file `outcomes`.
    enum Caller: CaseIterable {
      case shell, python, swift

      /// The attempts that scripts may perform. Scripts need the programs of the system.
      var allowed: [String] { self == .swift ? [] : ["execute a program of the system"] }

      /// Returns the program in a folder with `escape-attempts`, and the arguments before those of
      /// the attempts.
      func program(in folder: Workspace) throws -> (path: String, arguments: [String]) {
        switch self {
        case .shell:
          let script = """
            #!/bin/sh
            exec "${0%/*}/escape-attempts" --confined "$@" > outcomes

            """
          return (try folder.write(script, to: "attempts.sh"), [])
        case .python:
          let script = """
            #!/usr/bin/python3
            import os, subprocess, sys
            program = os.path.join(os.path.dirname(sys.argv[0]), "escape-attempts")
            with open("outcomes", "w") as outcomes:
                subprocess.run([program, "--confined", *sys.argv[1:]], stdout=outcomes, check=True)

            """
          return (try folder.write(script, to: "attempts.py"), [])
        case .swift:
          let runner = folder.path("program-runner")
          try FileManager.default.copyItem(
            atPath: "\(Lab.programs)/program-runner", toPath: runner)
          return (runner, [folder.path("escape-attempts"), "--confined"])
        }
      }
    }

    @Test(arguments: Caller.allCases)
    func `no escape attempt of a confined program succeeds`(caller: Caller) throws {
      let folder = try Workspace()
      try folder.write("secret", to: "outside/file")
      try FileManager.default.copyItem(
        atPath: "\(Lab.programs)/escape-attempts", toPath: folder.path("escape-attempts"))
      try Executable.make(folder.path("escape-attempts"))
      let (program, arguments) = try caller.program(in: folder)
      try Executable.make(program)
      let lab = try Lab(apps: ["sibling"])
      let secret = lab.device.containerPath(of: "sibling") + "/secret"
      try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
      let process = try #require(lab.device.guests.processIdentifier(of: "sibling"))
      let victims = ["\(process)", secret, lab.device.containerPath(of: "sibling"), secret]
      try lab.install(executable: program, arguments + victims, name: "hostile")
      lab.launch(["hostile"])
      #expect(lab.exits(of: "hostile") == ["exited"])
      let outcomes = try #require(lab.file("outcomes", of: "hostile"))
      let attempts = outcomes.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      #expect(attempts.count >= 100)
      // The attempts that no layer stops are tests of the ready-made guest.
      let escapes = attempts.filter { $0[2] == "succeeded" && !$0[1].isEmpty }
        .map { String($0[0]) }
      #expect(escapes == caller.allowed)
      try lab.closeInService()
    }

    /// A Python function that returns the result of an attempt: the error number, or the number for
    /// success.
    private static let outcome = """
      def outcome(attempt):
          try:
              attempt()
              return "succeeded"
          except OSError as error:
              return str(error.errno)
      """

    /// Returns the file `outcomes` that a Python program writes.
    private static func outcomes(of program: String) throws -> String? {
      let folder = try Workspace()
      let path = try folder.write("#!/usr/bin/python3\n" + program + "\n", to: "attempts.py")
      try Executable.make(path)
      let lab = try Lab()
      try lab.install(executable: path, name: "hostile")
      lab.launch(["hostile"])
      defer { lab.close() }
      return lab.file("outcomes", of: "hostile")
    }

    @Test func `a confined program cannot leave its process group`() throws {
      let outcomes = try Self.outcomes(
        of: """
          import os, signal
          child = os.fork()
          if child == 0:
              os.setpgid(0, 0)
              signal.pause()
          while os.getpgid(child) != child:
              os.sched_yield()
          \(Self.outcome)
          print(*map(outcome, [lambda: os.setpgid(0, child), lambda: os.setpgid(0, 0), os.setsid]),
                file=open("outcomes", "w"))
          """)
      // The error is EPERM, because the process is a session leader.
      #expect(outcomes == "1 1 1\n")
    }

    @Test
    func `confined programs cannot set leases, watches or file attributes, or bind socket pairs`()
      throws
    {
      let outcomes = try Self.outcomes(
        of: """
          import fcntl, os, socket, struct
          \(Self.outcome)
          file = open("own", "w+")
          below = os.open(".", os.O_RDONLY)
          pair = socket.socketpair()[0]
          print(*map(outcome, [
              lambda: fcntl.fcntl(file, 1024, fcntl.F_WRLCK),
              lambda: fcntl.fcntl(below, 1026, 1),
              lambda: fcntl.fcntl(os.pipe()[0], 1031, 1 << 20),
              lambda: fcntl.fcntl(file, 1036, struct.pack("q", 2)),
              lambda: fcntl.fcntl(file, 1038, struct.pack("q", 2)),
              lambda: fcntl.ioctl(file, 0x40087602, struct.pack("l", 7)),
              lambda: fcntl.ioctl(file, 0x40086602, struct.pack("l", 0x40)),
              lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
              lambda: pair.bind("\\0name"),
          ]), file=open("outcomes", "w"))
          """)
      // The errors are EPERM, ESOCKTNOSUPPORT and EACCES.
      #expect(outcomes == "1 1 1 1 1 1 1 94 13\n")
    }
  }
}

/// Whether guests have PID namespaces here. Without them, a program's processes are unknown.
private let hasNamespaces = Zygote.refusal() == 0

extension RealProcesses {
  /// Tests programs that exceed their limits of processes or memory. Even if a limit fails, no program has
  /// more than 200 processes or 512 MiB.
  @Suite(.enabled(if: hasNamespaces, "this kernel gives an ordinary user no namespaces"))
  struct ProgramWatchTests {
    /// Returns a device on which a program may have 64 processes and 256 MiB.
    static func lab() throws -> Lab {
      try Lab {
        $0.limits.processes = 64
        $0.limits.memory = 256 << 20
      }
    }

    @Test(arguments: [
      (["200", "0"], "processLimit", "killed: used more than 64 processes and threads"),
      (["16", "33554432"], "memoryLimit", "killed: used more than 256 MiB of memory"),
    ])
    func `if child processes exceed a process or memory limit, the whole program is terminated`(
      amount: [String], cause: String, text: String
    ) throws {
      let lab = try Self.lab()
      try lab.app("viewer")
      try lab.hostile("breed", amount)
      let process = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let namespace = try #require(ProcessFolder(of: process).namespace)
      lab.expectEndAsTimePasses(of: "hostile", cause)
      #expect(lab.exitText(of: "hostile") == text)
      #expect(lab.device.guests.isRunning("viewer"))
      lab.waitAsTimePasses("the end of its children") {
        !ProcessFolder.descendants().contains { $0.namespace == namespace }
      }
      try lab.closeInService()
    }

    @Test func `memory that a guest's processes share is counted once toward the limit`() throws {
      let lab = try Self.lab()
      try lab.hostile("breed-from", ["16", "33554432"])
      try lab.app("viewer")
      let process = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let census = ProcessCensus(
        programs: ["hostile": process], childless: [], memoryLimit: 256 << 20)
      var extent = ProcessCensus.Extent()
      lab.waitAsTimePasses("its children") {
        extent = census.run()["hostile"] ?? extent
        return extent.threads == 18
      }
      #expect((32 << 20..<256 << 20).contains(extent.resident), "\(extent)")
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }
  }
}

/// Whether this process may create control groups here.
private let isDelegated: Bool = {
  defer { ControlGroupClaim.release() }
  return ControlGroupClaim.retain().folder != nil
}()

extension RealProcesses {
  /// Tests programs in control groups. Even if a limit fails, no program has more than 200 processes or 512
  /// MiB.
  @Suite(.enabled(if: isDelegated, "no control group is delegated to this process"))
  struct ControlGroupTests {
    /// The control groups that this process has created for its devices.
    private static var groups: [String] {
      defer { ControlGroupClaim.release() }
      let own = ControlGroupClaim.retain().folder
      return (own?.groups ?? []).map { String($0.name) }.filter {
        $0.hasPrefix("sluice-\(getpid())-")
      }
    }

    @Test(arguments: [
      (["200", "0"], "processLimit"), (["16", "33554432"], "memoryLimit"),
    ])
    func `only the program that exceeds its cgroup limit is terminated`(
      amount: [String], cause: String
    ) throws {
      let lab = try ProgramWatchTests.lab()
      try lab.app("viewer")
      try lab.hostile("breed", amount)
      let process = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let group = ProcessFiles.text("/proc/\(process)/cgroup")?.split(separator: "\n").last
      #expect(group?.contains("/sluice-\(getpid())-") == true, "\(group ?? "none")")
      lab.expectEndAsTimePasses(of: "hostile", cause)
      #expect(lab.device.guests.isRunning("viewer"))
      try lab.closeInService()
    }

    @Test func `a device leaves no cgroups behind`() throws {
      let lab = try ProgramWatchTests.lab()
      try lab.hostile("breed", ["8", "0"])
      let device = try #require(lab.device.guests.processIdentifier(of: "hostile"))
      let path = ProcessFiles.text("/proc/\(device)/cgroup")?.split(separator: "/").dropLast().last
      let group = try #require(path.map(String.init))
      #expect(Self.groups.contains(group))
      lab.close()
      #expect(!Self.groups.contains(group))
    }
  }
}

/// Tests the files of control groups.
@Suite struct ControlGroupFolderTests {
  @Test func `a cgroup's event counter is found by its complete name`() throws {
    let folder = try Workspace()
    try folder.write("low 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 1\n", to: "memory.events")
    let group = ControlGroupFolder(path: folder.path)
    let names = ["max", "oom", "oom_kill", "oom_group_kill", "oom_group", "high"]
    #expect(names.map { group.count($0, in: "memory.events") } == [3, 1, 2, 1, nil, nil])
    #expect(group.count("max", in: "pids.events") == nil)
  }

  @Test func `a cgroup is created once, listed by its parent, and removed`() throws {
    let folder = try Workspace()
    try folder.write("", to: "cgroup.procs")
    let group = ControlGroupFolder(path: folder.path)
    let made = try #require(group.group("sluice-1"))
    #expect(group.group("sluice-1") == made)
    #expect(group.groups == [made])
    #expect(made.remove())
    #expect(made.remove())
    #expect(group.groups == [])
  }

  @Test func `a missing cgroup folder reads as empty, and cannot be written`() throws {
    let folder = try Workspace()
    let group = ControlGroupFolder(path: folder.path("none"))
    #expect(group.set("cgroup.procs", "0") == ENOENT)
    #expect(group.text("cgroup.procs") == nil)
    #expect(group.groups == [])
  }
}
