internal import CSpawn
public import Foundation
internal import Synchronization

/// A running program. It is reaped as soon as it exits.
///
/// Foundation's `Process` is not used. A single thread waits for all of its processes, one after
/// the other, and reports the others' exits late.
public final class StartedProgram: Sendable {
  public enum Reason: Sendable {
    case exit, uncaughtSignal
  }

  public let processIdentifier: pid_t
  /// The wait status, as returned by waitpid(2); nil while the program runs.
  private let status = Mutex<Int32?>(nil)
  private let end = DispatchGroup()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - folder: The working directory; if nil, that of this process.
  ///   - environment: The environment; if nil, that of this process.
  ///   - more: Descriptors 3, 4, …; nil for `/dev/null`.
  public init(
    _ path: String, _ arguments: [String] = [], in folder: String? = nil,
    environment: [String: String]? = nil, input: FileHandle = .nullDevice,
    output: FileHandle = .nullDevice, errors: FileHandle = .nullDevice, more: [Int32?] = []
  ) throws {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let folder = strdup(folder ?? ".")
    defer { free(folder) }
    let files =
      [input, output, errors].map(\.fileDescriptor) + more.map { $0 ?? Int32(CSPAWN_NULL) }
    let process = files.withUnsafeBufferPointer { files in
      words.withUnsafeBufferPointer { words in
        variables.withUnsafeBufferPointer { variables in
          var request = cspawn_request(
            executable: words[0], arguments: words.baseAddress, environment: variables.baseAddress,
            directory: folder, descriptors: files.baseAddress, count: Int32(files.count))
          return cspawn_start(&request)
        }
      }
    }
    guard process > 0 else { throw POSIXError(POSIXErrorCode(rawValue: -process) ?? .EIO) }
    processIdentifier = process
    end.enter()
    Thread.detachNewThread { self.reap() }
  }

  private func reap() {
    var ended: Int32 = 0
    while waitpid(processIdentifier, &ended, 0) < 0, errno == EINTR {}
    status.withLock { $0 = ended }
    end.leave()
  }

  public var isRunning: Bool { status.withLock { $0 } == nil }

  public func waitUntilExit() { end.wait() }

  /// The exit code, or the signal's number. It is 0 while the program runs.
  public var terminationStatus: Int32 {
    let status = status.withLock { $0 } ?? 0
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }

  public var terminationReason: Reason {
    (status.withLock { $0 } ?? 0) & 0x7F == 0 ? .exit : .uncaughtSignal
  }
}
