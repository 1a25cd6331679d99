import Foundation

/// Ends this process as the kernel does, from another thread, whatever this one is doing then.
func killThisProcess(after microseconds: Int) {
  Thread.detachNewThread {
    usleep(UInt32(microseconds))
    kill(getpid(), SIGKILL)
  }
}

/// What a process that will be killed has done, a byte each: they outlive it.
struct Acknowledgements {
  private let descriptor: Int32

  init(path: String) {
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "cannot write to \(path)")
  }

  func add() {
    let written = write(descriptor, "+", 1)
    precondition(written == 1, "cannot acknowledge anything")
  }

  /// 0 where a process was killed before it could make the file.
  static func count(in path: String) throws -> Int {
    FileManager.default.contents(atPath: path)?.count ?? 0
  }
}
