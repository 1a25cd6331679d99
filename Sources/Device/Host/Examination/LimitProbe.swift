internal import EventLoop
internal import Glibc

/// A trial of `sluice-launch`, which takes the limits of guests and then finds no program to become.
struct LimitProbe {
  private let launch: String

  init(_ launch: String) { self.launch = launch }

  /// The reason why it does not come as far as the program; nil where it does.
  func failure() -> String? {
    do throws(EventLoopError) {
      let loop = try EventLoop()
      defer { loop.close() }
      let (exit, output) = try run(on: loop)
      // As POSIX has it for a shell: there is no such program.
      if exit == .status(127) { return nil }
      let sentence = output.split(separator: "\n").last.map(String.init)
      return sentence ?? "`\(launch)` ended unexpectedly"
    } catch {
      return "`\(launch)` does not start: \(error.reason)"
    }
  }

  private func run(
    on loop: EventLoop
  ) throws(EventLoopError) -> (exit: ChildProcess.Exit?, output: String) {
    let (pipe, childEnd) = try Pipe.capture(on: loop)
    defer { Glibc.close(childEnd) }
    var output = ""
    var exit: ChildProcess.Exit?
    pipe.onRead = { output += String(decoding: $0, as: UTF8.self) }
    try pipe.startReading()
    _ = try ChildProcess(
      ChildProcess.Specification(
        .executable(launch), arguments: [launch] + limits + ["--", ""], directory: ".",
        descriptors: [.null, .inherited(childEnd), .inherited(childEnd)]), on: loop
    ) { exit = $0 }
    loop.run { exit != nil }
    pipe.readRest()
    return (exit, output)
  }

  private var limits: [String] {
    let limits = DeviceConfiguration.Limits()
    return [
      "--memory", "\(limits.memory)", "--file-size", "\(limits.fileSize)", "--descriptors",
      "\(limits.descriptors)",
    ]
  }
}
