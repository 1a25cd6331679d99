import EventLoop
import Foundation
import Model
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// The attempts of `escape-attempts` by whatever a device runs as a program: how it comes to them makes no difference.
  @Suite(.enabled(if: Lab.canConfineFully && Lab.promises.contains(.mounts)))
  struct ProgramEscapeTests {
    /// A program that carries out the attempts, and leaves what comes of them in the file `outcomes`.
    enum Caller: CaseIterable {
      case shell, python, swift

      /// The attempts that scripts are to be free to make: they need the programs of the system.
      var allowed: [String] { self == .swift ? [] : ["execute a program of the system"] }

      /// The program in a folder that has `escape-attempts`, and the arguments before those of the attempts.
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
    func `no attempt succeeds`(caller: Caller) throws {
      let folder = try Workspace()
      try folder.write("secret", to: "outside/file")
      try FileManager.default.copyItem(
        atPath: "\(Lab.programs)/escape-attempts", toPath: folder.path("escape-attempts"))
      try Executable.make(folder.path("escape-attempts"))
      let (program, arguments) = try caller.program(in: folder)
      try Executable.make(program)
      let lab = try Lab()
      try lab.app("sibling")
      let secret = lab.device.containerPath(of: "sibling") + "/secret"
      try Data("secret".utf8).write(to: URL(fileURLWithPath: secret))
      let process = try #require(lab.device.guests.processIdentifier(of: "sibling"))
      let victims = ["\(process)", secret, lab.device.containerPath(of: "sibling"), secret]
      try lab.install(executable: program, arguments + victims, name: "hostile")
      lab.launch(["hostile"])
      #expect(lab.exits(of: "hostile") == ["exited"])
      let outcomes = try String(
        contentsOfFile: lab.device.containerPath(of: "hostile") + "/outcomes", encoding: .utf8)
      let attempts = outcomes.split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      #expect(attempts.count >= 100)
      // Those that no layer stops are of the ready-made guest.
      let escapes = attempts.filter { $0[2] == "succeeded" && !$0[1].isEmpty }
        .map { String($0[0]) }
      #expect(escapes == caller.allowed)
      try lab.expectService()
      lab.close()
    }

    /// A function in Python that says what comes of an attempt: the number of its error, or that it succeeded.
    private static let outcome = """
      def outcome(attempt):
          try:
              attempt()
              return "succeeded"
          except OSError as error:
              return str(error.errno)
      """

    @Test func `a program cannot leave its process group, by which it is stopped and ended`()
      throws
    {
      let folder = try Workspace()
      let program = try folder.write(
        """
        #!/usr/bin/python3
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

        """, to: "leaves.py")
      try Executable.make(program)
      let lab = try Lab()
      try lab.install(executable: program, name: "hostile")
      lab.launch(["hostile"])
      let outcomes = try String(
        contentsOfFile: lab.device.containerPath(of: "hostile") + "/outcomes", encoding: .utf8)
      // EPERM: it leads a session.
      #expect(outcomes == "1 1 1\n")
      lab.close()
    }

    @Test func `files are neither leased nor watched nor marked, and no pair sends to others`()
      throws
    {
      let folder = try Workspace()
      let program = try folder.write(
        """
        #!/usr/bin/python3
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

        """, to: "marks.py")
      try Executable.make(program)
      let lab = try Lab()
      try lab.install(executable: program, name: "hostile")
      lab.launch(["hostile"])
      let outcomes = try String(
        contentsOfFile: lab.device.containerPath(of: "hostile") + "/outcomes", encoding: .utf8)
      // EPERM, ESOCKTNOSUPPORT, EACCES.
      #expect(outcomes == "1 1 1 1 1 1 1 94 13\n")
      lab.close()
    }
  }
}
