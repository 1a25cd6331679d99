internal import Diagnostics
internal import EventLoop
internal import class EventLoop.Timer
internal import Foundation
internal import Simulation

/// The processes that the coordinator has started for the hosts of a fleet.
final class HostProcesses {
  private let loop: EventLoop
  private var processes: [ChildProcess] = []
  /// How each that has ended did, in words, by its place among the commands from 1 on.
  private(set) var ends: [Int: String] = [:]

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
        try start(command, as: processes.count + 1, output)
      } catch {
        end()
        throw RunError(.command, "\(command[0]): \(error)", rule: "fleet")
      }
    }
  }

  private func start(
    _ command: [String], as number: Int, _ output: Int32
  ) throws(EventLoopError) {
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }.sorted()
    processes.append(
      try ChildProcess(
        ChildProcess.Specification(
          .executable(command[0]), arguments: command, environment: environment,
          directory: FileManager.default.currentDirectoryPath,
          descriptors: [.null, .inherited(output), .inherited(output)]), on: loop
      ) { [weak self] exit in self?.ends[number] = Self.text(exit) })
  }

  private static func text(_ exit: ChildProcess.Exit) -> String {
    switch exit {
    case .status(let status): "with status \(status)"
    case .signal(let signal): "by signal \(signal)"
    }
  }

  /// Whether a host has ended that is a process of this machine.
  func hasEnded(_ host: Int) -> Bool { processes.count > 1 && ends[host] != nil }

  /// Whether all have ended.
  var haveEnded: Bool { ends.count == processes.count }

  /// Ends a host at once, where it is a process of this machine.
  func kill(_ number: Int) {
    guard processes.indices.contains(number - 1), processes.count > 1 else { return }
    processes[number - 1].signalGroup(SIGKILL)
  }

  /// Has those end that have not.
  ///
  /// - Parameter patience: the time that they have for it before they are told, in milliseconds.
  func end(after patience: UInt64 = 0) {
    let timers = [(patience, SIGTERM), (patience + Self.patience, SIGKILL)].map { time, signal in
      let timer = try? Timer(on: loop) { [unowned self] in
        for process in processes { process.signalGroup(signal) }
      }
      timer?.start(after: time)
      return timer
    }
    loop.run { haveEnded }
    for timer in timers { timer?.close() }
    for process in processes { process.close() }
  }

  /// The time that they have once they are told, in milliseconds.
  static let patience: UInt64 = 10_000
}
