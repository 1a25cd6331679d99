import EventLoop
import Glibc
import Testing

extension RealProcesses {
  @Suite(.timeLimit(.minutes(15))) struct ChildProcessTests {
    @Test(arguments: [0, 1, 7, 255]) func aStatusIsReported(status: Int) throws {
      #expect(try shell("exit \(status)") == Ended(output: "", exit: .status(status)))
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV, SIGPIPE])
    func aSignalIsReported(signal: Int32) throws {
      let ended = try shell("kill -\(signal) $$")
      #expect(ended == Ended(output: "", exit: .signal(Int(signal))))
    }

    @Test func argumentsArriveAsTheyAre() throws {
      let ended = try run("/usr/bin/printf", ["%s|", "two words", "", "$HOME", "日本"])
      #expect(ended == Ended(output: "two words||$HOME|日本|", exit: .status(0)))
    }

    @Test(arguments: [[], ["A=1"], ["A=1", "B=two words", "C="]])
    func theEnvironmentIsTheGivenAndNoMore(environment: [String]) throws {
      let ended = try run("/usr/bin/env", environment: environment)
      #expect(ended.output == environment.map { $0 + "\n" }.joined())
    }

    @Test(arguments: ["/", "/proc", "/usr"]) func theDirectoryIsTheGiven(directory: String) throws {
      #expect(try run("/bin/pwd", directory: directory).output == directory + "\n")
    }

    // Fields 1, 5 and 6 of proc(5)'s stat: process, process group, session.
    @Test func aChildLeadsASessionAndGroupOfItsOwn() throws {
      try withLoop { loop in
        var output = ""
        let child = try start(.program("/bin/cat", ["/proc/self/stat"]), on: loop) {
          output = $0.output
        }
        let pid = "\(child.pid)"
        loop.run()
        let fields = output.split(separator: " ").map(String.init)
        #expect(fields.count > 5)
        #expect([fields[0], fields[4], fields[5]] == [pid, pid, pid])
        #expect(child.pid != getpgrp())
      }
    }

    @Test func signalsThatTheParentIgnoresAreNotIgnoredInTheChild() throws {
      signal(SIGPIPE, SIG_IGN)
      let status = try run("/bin/cat", ["/proc/self/status"]).output
      let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
      let ignored = try #require(line.flatMap { UInt64($0.suffix(16), radix: 16) })
      // Signals from 32 on are the C library's own.
      #expect(ignored & 0x7FFF_FFFF == 0)
    }

    // In a process of its own, because other tests open descriptors while the child starts. The last is the folder that ls
    // itself has open.
    @Test func onlyTheGivenDescriptorsAreOpen() async {
      await #expect(processExitsWith: .success) {
        let inherited = open("/dev/null", O_RDONLY)
        defer { close(inherited) }
        let output = try run("/bin/ls", ["/proc/self/fd"]).output
        #expect(output == "0\n1\n2\n3\n", "\(output)")
      }
    }

    @Test func descriptorsAreInTheGivenOrder() throws {
      try withLoop { loop in
        let pipe = try Pipe(on: loop)
        var ended: Ended?
        try start(
          .program("/bin/ls", ["-l", "/proc/self/fd"], descriptors: [.null, .null, .pipe(pipe)]),
          on: loop
        ) {
          ended = $0
          pipe.close()
        }
        loop.run()
        let links = ended?.output.split(separator: "\n").compactMap { line in
          line.split(separator: " -> ").last.map(String.init)
        }
        let kinds = links?.dropFirst().map { $0.prefix { $0 != "[" } }
        #expect(kinds?.prefix(4) == ["/dev/null", "pipe:", "/dev/null", "socket:"])
        #expect(kinds?.count == 5)
      }
    }

    @Test func killingTheGroupEndsWhatTheChildStarted() throws {
      try withLoop { loop in
        let pipe = try Pipe(on: loop)
        var ended: Ended?
        let script = "sleep 600 & sleep 600 & echo ready >&3; wait"
        let child = try start(
          .program("/bin/sh", ["-c", script], descriptors: [.null, .null, .pipe(pipe)]), on: loop
        ) { ended = $0 }
        pipe.onRead = { _ in #expect(child.signalGroup(SIGKILL)) }
        pipe.onEnd = { _ in pipe.close() }
        try pipe.startReading()
        // Output and pipe end only when nobody holds them any more, the two sleepers included.
        loop.run()
        #expect(ended == Ended(output: "", exit: .signal(Int(SIGKILL))))
        #expect(loop.handleCount == 0)
      }
    }

    @Test func nobodyIsLeftToSignalWhenAllHaveEnded() throws {
      try withLoop { loop in
        let child = try start(.program("/bin/true"), on: loop)
        loop.run()
        #expect(!child.signalGroup(0))
      }
    }
  }
}

extension ChildProcess.Specification {
  /// A program without environment whose standard output the test inserts.
  static func program(
    _ executable: String, _ arguments: [String] = [], directory: String = "/",
    descriptors: [ChildProcess.Descriptor] = [.null]
  ) -> Self {
    Self(
      .executable(executable), arguments: [executable] + arguments, directory: directory,
      descriptors: descriptors)
  }
}
