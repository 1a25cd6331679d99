import EventLoop
import Glibc

/// A child that has ended: what it wrote to its standard output, and how it ended.
struct Ended: Equatable {
  var output: String
  var exit: ChildProcess.Exit?
}

/// A loop whose children write to one place each; closed at the end of `body`.
@discardableResult
func withLoop<Result>(_ body: (EventLoop) throws -> Result) throws -> Result {
  let loop = try EventLoop(readSize: 4096)
  defer { loop.close() }
  return try body(loop)
}

/// Starts a program whose standard input is `input` and whose standard output is collected.
///
/// `then` gets the text and the exit when both have come to an end.
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

/// Runs a program to its end.
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

/// Runs a script of the shell to its end.
func shell(_ script: String, descriptors: [ChildProcess.Descriptor] = [.null]) throws -> Ended {
  try run("/bin/sh", ["-c", script], descriptors: descriptors)
}

/// Puts the end of the output and the exit of the process together, whichever comes first.
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
