import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

extension RealProcesses {
  @Suite(.timeLimit(.minutes(15))) struct ChildProcessTests {
    @Test(arguments: [0, 1, 7, 255]) func `a child process's exit status is reported`(status: Int)
      throws
    {
      #expect(try shell("exit \(status)") == Ended(output: "", exit: .status(status)))
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV, SIGPIPE])
    func `the signal that terminates a child process is reported`(signal: Int32) throws {
      let ended = try shell("kill -\(signal) $$")
      #expect(ended == Ended(output: "", exit: .signal(Int(signal))))
    }

    @Test func `a child process receives its arguments unchanged`() throws {
      let ended = try run("/usr/bin/printf", ["%s|", "two words", "", "$HOME", "日本"])
      #expect(ended == Ended(output: "two words||$HOME|日本|", exit: .status(0)))
    }

    @Test(arguments: [[], ["A=1"], ["A=1", "B=two words", "C="]])
    func `a child has exactly the given environment`(environment: [String]) throws {
      let ended = try run("/usr/bin/env", environment: environment)
      #expect(ended.output == environment.map { $0 + "\n" }.joined())
    }

    @Test(arguments: ["/", "/proc", "/usr"]) func `a child has the given working directory`(
      directory: String
    ) throws {
      #expect(try run("/bin/pwd", directory: directory).output == directory + "\n")
    }

    // In proc(5), fields 1, 5 and 6 of `stat` are the process, the process group and the session.
    @Test func `a child process leads its own session and process group`() throws {
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

    @Test func `signals ignored by the parent are not ignored in the child`() throws {
      signal(SIGPIPE, SIG_IGN)
      let status = try run("/bin/cat", ["/proc/self/status"]).output
      let line = status.split(separator: "\n").first { $0.hasPrefix("SigIgn:") }
      let ignored = try #require(line.flatMap { UInt64($0.suffix(16), radix: 16) })
      // Signals from 32 on are reserved for the C library.
      #expect(ignored & 0x7FFF_FFFF == 0)
    }

    // This runs in a separate process, because other tests open descriptors while the child starts.
    // The last descriptor is the folder that ls itself has opened.
    @Test func `a child process inherits only the given descriptors`() async {
      await #expect(processExitsWith: .success) {
        let inherited = open("/dev/null", O_RDONLY)
        defer { close(inherited) }
        let output = try run("/bin/ls", ["/proc/self/fd"]).output
        #expect(output == "0\n1\n2\n3\n", "\(output)")
      }
    }

    @Test func `a descriptor's position in the list becomes its number in the child`() throws {
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

    @Test func `killing a child's process group ends all its descendants`() throws {
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
        // The output and the pipe end only when no process has them open any more. This includes
        // the two sleepers.
        loop.run()
        #expect(ended == Ended(output: "", exit: .signal(Int(SIGKILL))))
        #expect(loop.handleCount == 0)
      }
    }

    @Test func `signalling a process group that has exited fails`() throws {
      try withLoop { loop in
        let child = try start(.program("/bin/true"), on: loop)
        loop.run()
        #expect(!child.signalGroup(0))
      }
    }
  }
}

extension ChildProcess.Specification {
  /// Returns a program with an empty environment. The test provides its standard output.
  static func program(
    _ executable: String, _ arguments: [String] = [], directory: String = "/",
    descriptors: [ChildProcess.Descriptor] = [.null]
  ) -> Self {
    Self(
      .executable(executable), arguments: [executable] + arguments, directory: directory,
      descriptors: descriptors)
  }
}

extension RealProcesses {
  @Suite(.timeLimit(.minutes(15))) struct FailedSpawnTests {
    static let programs: [(String, String, Int32)] = [
      ("/proc/nonexistent/program", "/", ENOENT), ("/bin/true", "/proc/nonexistent", ENOENT),
      // The paths are a non-executable file, a folder, a file as a path component, and a name. No
      // search path is used.
      ("/etc/passwd", "/", EACCES), ("/usr", "/", EACCES), ("/etc/passwd/true", "/", ENOTDIR),
      ("true", "/", ENOENT), ("", "/", ENOENT),
    ]

    @Test(arguments: programs)
    func `a failed spawn throws its reason and leaves no handle`(
      program: String, directory: String, code: Int32
    ) throws {
      try withLoop { loop in
        let error = try #require(throws: EventLoopError.self) {
          try start(.program(program, directory: directory), on: loop)
        }
        #expect(error.errno == code)
        #expect(error.operation == .spawn)
        loop.run()
        #expect(loop.handleCount == 0)
      }
    }

    @Test func `starting a missing program fails with no such file or directory`() throws {
      try withLoop { loop in
        let error = try #require(throws: EventLoopError.self) {
          try start(.program("/proc/nonexistent"), on: loop)
        }
        #expect(error.description == "cannot start a process: no such file or directory")
      }
    }

    @Test func `a relative program path is resolved in the working directory`() throws {
      #expect(try run("true", directory: "/bin").exit == .status(0))
      #expect(try run("bin/true", directory: "/").exit == .status(0))
    }

    // This runs in a separate process, because other tests open descriptors and start children at
    // the same time.
    @Test func `a failed spawn leaves no descriptor and no zombie process`() async {
      await #expect(processExitsWith: .success) {
        try withLoop { loop in
          // With the first child, libuv opens descriptors that it keeps.
          try start(.program("/bin/true"), on: loop)
          loop.run()
          let before = Census.take()
          #expect(!Census.hasChildren, "children before any was started")
          for (program, directory, _) in FailedSpawnTests.programs {
            let pipe = try Pipe(on: loop)
            #expect(throws: EventLoopError.self) {
              try start(
                .program(program, directory: directory, descriptors: [.null, .null, .pipe(pipe)]),
                on: loop)
            }
            pipe.close()
            loop.run()
          }
          try before.waitUntilNothingIsLeft()
        }
      }
    }
  }

  @Suite(.timeLimit(.minutes(15))) struct ManyChildrenTests {
    // This runs in a separate process, because other tests open descriptors and start children at
    // the same time.
    @Test func `a thousand child processes leave no descriptor and no zombie process`() async {
      await #expect(processExitsWith: .success) {
        try withLoop { loop in
          var ends = 0
          // With the first child, libuv opens descriptors that it keeps.
          try startEcho(on: loop) { _ in }
          loop.run()
          let before = Census.take()
          #expect(!Census.hasChildren, "children before any was started")
          for _ in 0..<50 {
            for _ in 0..<20 { try startEcho(on: loop) { ends += $0 } }
            loop.run()
          }
          #expect(ends == 1000, "\(ends) of 1000 ended well")
          #expect(loop.handleCount == 0, "\(loop.handleCount) handles")
          try before.waitUntilNothingIsLeft()
        }
      }
    }
  }
}

/// Starts a child that echoes its pipe. `then` gets 1 after the echo and a normal exit.
private func startEcho(on loop: EventLoop, then finish: @escaping (Int) -> Void) throws {
  let pipe = try Pipe(on: loop)
  try start(.program("/bin/cat", descriptors: [.pipe(pipe)]), on: loop) {
    finish($0 == Ended(output: "x", exit: .status(0)) ? 1 : 0)
  }
  pipe.onDrain = { [unowned pipe] in pipe.close() }
  try [UInt8(ascii: "x")].withUnsafeBytes { try pipe.write($0) }
}

/// Tests children without some of this kernel's features, as under valgrind.
@Suite(.timeLimit(.minutes(15))) struct OldKernelTests {
  @Test func `on a kernel without pidfd, a child's exit status and output are reported`()
    async throws
  {
    let ended = try await RefusedCall.processDescriptors.during { try shell("echo hello; exit 7") }
    #expect(ended == Ended(output: "hello\n", exit: .status(7)))
  }

  @Test func `on a kernel without pidfd, exits of concurrent and killed children are reported`()
    async throws
  {
    let ends = try await RefusedCall.processDescriptors.during {
      try withLoop { loop in
        var ends: [ChildProcess.Exit?] = []
        for status in 0..<20 {
          try start(.program("/bin/sh", ["-c", "exit \(status)"]), on: loop) {
            ends.append($0.exit)
          }
        }
        let sleeper = try start(.program("/bin/sleep", ["1000"]), on: loop) {
          ends.append($0.exit)
        }
        sleeper.signalGroup(SIGKILL)
        loop.run()
        return ends
      }
    }
    #expect(ends.count == 21)
    for status in 0..<20 { #expect(ends.contains(.status(status))) }
    #expect(ends.contains(.signal(Int(SIGKILL))))
  }
}

/// The standard output and the exit of a child.
struct Ended: Equatable {
  var output: String
  var exit: ChildProcess.Exit?
}

/// Calls `body` with a loop whose children each write to one place. The loop is closed afterwards.
@discardableResult
func withLoop<Result>(_ body: (EventLoop) throws -> Result) throws -> Result {
  let loop = try EventLoop(readSize: 4096)
  defer { loop.close() }
  return try body(loop)
}

/// Starts a program with `input` as standard input, and collects its standard output.
///
/// `then` gets the text and the exit when both are complete.
@discardableResult
func start(
  _ specification: ChildProcess.Specification, on loop: EventLoop,
  then finish: @escaping (Ended) -> Void = { _ in }
) throws -> ChildProcess {
  let (output, childEnd) = try Pipe.capture(on: loop)
  defer { close(childEnd) }
  var specification = specification
  specification.descriptors.insert(.inherited(childEnd), at: 1)
  let collector = Collector(finish)
  output.onRead = { collector.bytes += $0 }
  output.onEnd = { [unowned output] _ in
    output.close()
    collector.isAtEnd = true
  }
  do {
    let child = try ChildProcess(specification, on: loop) { collector.exit = $0 }
    collector.child = child
    try output.startReading()
    return child
  } catch {
    output.close()
    throw error
  }
}

/// Runs a program and waits for it.
func run(
  _ executable: String, _ arguments: [String] = [], environment: [String] = [],
  directory: String = "/", descriptors: [ChildProcess.Descriptor] = [.null]
) throws -> Ended {
  try withLoop { loop in
    var ended: Ended?
    try start(
      .init(
        .executable(executable), arguments: [executable] + arguments, environment: environment,
        directory: directory, descriptors: descriptors),
      on: loop
    ) { ended = $0 }
    loop.run()
    return ended ?? Ended(output: "", exit: nil)
  }
}

/// Runs a shell script and waits for it.
func shell(_ script: String, descriptors: [ChildProcess.Descriptor] = [.null]) throws -> Ended {
  try run("/bin/sh", ["-c", script], descriptors: descriptors)
}

/// Combines the end of the output and the exit of the process, which can occur in either order.
private final class Collector {
  var bytes: [UInt8] = []
  var child: ChildProcess?
  var isAtEnd = false { didSet { finishWhenComplete() } }
  var exit: ChildProcess.Exit? { didSet { finishWhenComplete() } }
  private let finish: (Ended) -> Void

  init(_ finish: @escaping (Ended) -> Void) { self.finish = finish }

  private func finishWhenComplete() {
    guard isAtEnd, exit != nil else { return }
    child?.close()
    child = nil
    finish(Ended(output: String(decoding: bytes, as: UTF8.self), exit: exit))
  }
}
