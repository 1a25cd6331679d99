internal import Diagnostics
internal import EventLoop
internal import class EventLoop.Timer
internal import Foundation
internal import Simulation

/// The processes that the coordinator has started for the hosts of a fleet.
final class HostProcesses {
  private let loop: EventLoop
  private var processes: [ChildProcess] = []
  /// How each that has ended did, in words.
  private(set) var ends: [String] = []

  /// Starts the processes.
  ///
  /// - Parameter log: the path of the file that gets what they write.
  /// - Throws: ``RunError`` where one does not start; the others are ended.
  init(_ commands: [[String]], log: String, on loop: EventLoop) throws(RunError) {
    self.loop = loop
    let output = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw RunError(unwritable: log, errno) }
    defer { Foundation.close(output) }
    for command in commands {
      do throws(EventLoopError) {
        try start(command, output)
      } catch {
        end()
        throw RunError(.command, "\(command[0]): \(error)", rule: "fleet")
      }
    }
  }

  private func start(_ command: [String], _ output: Int32) throws(EventLoopError) {
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }.sorted()
    processes.append(
      try ChildProcess(
        ChildProcess.Specification(
          .executable(command[0]), arguments: command, environment: environment,
          directory: FileManager.default.currentDirectoryPath,
          descriptors: [.null, .inherited(output), .inherited(output)]), on: loop
      ) { [weak self] exit in self?.ends.append(Self.text(exit)) })
  }

  private static func text(_ exit: ChildProcess.Exit) -> String {
    switch exit {
    case .status(let status): "with status \(status)"
    case .signal(let signal): "by signal \(signal)"
    }
  }

  /// Whether all have ended.
  var haveEnded: Bool { ends.count == processes.count }

  /// Waits until all have ended.
  func wait() {
    loop.run { haveEnded }
    for process in processes { process.close() }
  }

  /// Has them end, each after its guests.
  func end() {
    for process in processes { process.signalGroup(SIGTERM) }
    let timer = try? Timer(on: loop) { [unowned self] in
      for process in processes { process.signalGroup(SIGKILL) }
    }
    timer?.start(after: Self.patience)
    wait()
    timer?.close()
  }

  /// The time that they have for it, in milliseconds.
  private static let patience: UInt64 = 10_000
}
