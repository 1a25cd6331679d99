import EventLoop
import Glibc
import TestSupport
import Testing

extension RealProcesses {
  @Suite(.timeLimit(.minutes(15))) struct FailedSpawnTests {
    static let programs: [(String, String, Int32)] = [
      ("/proc/nonexistent/program", "/", ENOENT), ("/bin/true", "/proc/nonexistent", ENOENT),
      // Not executable, a folder, a file on the way, and a name: no search path is used.
      ("/etc/passwd", "/", EACCES), ("/usr", "/", EACCES), ("/etc/passwd/true", "/", ENOTDIR),
      ("true", "/", ENOENT), ("", "/", ENOENT),
    ]

    @Test(arguments: programs)
    func itThrowsTheReasonAndLeavesNoHandle(program: String, directory: String, code: Int32) throws
    {
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

    @Test func theReasonIsInWords() throws {
      try withLoop { loop in
        let error = try #require(throws: EventLoopError.self) {
          try start(.program("/proc/nonexistent"), on: loop)
        }
        #expect(error.description == "cannot start a process: no such file or directory")
      }
    }

    @Test func aProgramNamedRelativelyIsFoundInTheDirectory() throws {
      #expect(try run("true", directory: "/bin").exit == .status(0))
      #expect(try run("bin/true", directory: "/").exit == .status(0))
    }

    // In a process of its own, because other tests open descriptors and start children meanwhile.
    @Test func itLeavesNoDescriptorAndNoChild() async {
      await #expect(processExitsWith: .success) {
        try withLoop { loop in
          // The first child makes libuv open what it keeps for good.
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
}
