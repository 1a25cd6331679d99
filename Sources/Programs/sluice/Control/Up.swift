internal import ArgumentParser
internal import DeviceClient
internal import DeviceControl
internal import Encodings
internal import Foundation
internal import Output
internal import Scenario
internal import Simulation

struct Up: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "up",
    abstract: "Start a scenario's device and keep it running for `sluice ctl`.",
    discussion: """
      The scenario defines accounts, policies and apps; no case runs except that of --case. The device listens on a \
      Unix socket for its user only (docs/running-device.md), until `sluice down` or Ctrl-C.

      Exit status: 0 the device was shut down, 1 the case of --case failed, 2 the scenario is invalid, or another device \
      has the socket or the folder, 64 usage, 70 an error of Sluice itself.
      """)

  @Argument(help: "The scenario file, or - for standard input.", completion: .file())
  var file: String

  @Option(name: .customLong("case"), help: "Run the case with this name or criterion first.")
  var test: String?

  @Option(help: "The path of the control socket.", completion: .file())
  var socket: String?

  @Option(
    name: .customLong("device"), help: "Start the persistent device in this folder.",
    completion: .directory)
  var existing: String?

  @Option(
    help: ArgumentHelp(
      "Record the actions of clients and administrators, and the verdicts, as a scenario in this new file, for `sluice run`.",
      valueName: "file"), completion: .file())
  var record: String?

  @Flag(help: "Also shut the device down when standard input ends.")
  var attached = false

  @OptionGroup var device: DeviceOptions

  func validate() throws {
    if attached, file == "-" {
      throw ValidationError("--attached reads standard input, so the scenario must be a file")
    }
    if existing != nil, device.outputFolder != nil {
      throw ValidationError(
        "--device always keeps its device; --output-dir applies to fresh devices only")
    }
    if record != nil, existing != nil || test != nil {
      throw ValidationError(
        "--record needs a fresh device in the scenario's initial state: leave out --device and --case"
      )
    }
  }

  func perform() throws(RunError) {
    let text = try ScenarioFiles.text(of: file)
    let scenario = try ScenarioFiles.scenario(in: text, file: file)
    let test = try testCase(of: scenario)
    let isPassed = try Workshop.use(device) { settings throws(RunError) in
      var settings = settings
      settings.device = existing
      let prepared = try ScenarioRun(settings).prepare(scenario)
      for warning in prepared.warnings { Failure.print(warning) }
      return try recording(of: scenario, text) { recording throws(RunError) in
        let device = try RunningDevice(
          prepared, running: test, settings, socket: socket, recording: recording)
        return try run(device, test, file: scenario.file)
      }
    }
    if !isPassed { Self.exit(withError: Failure.expectation) }
  }

  /// Calls `body`. With `--record`, the requests that arrive meanwhile are recorded, and `body` gets the recording.
  private func recording<Result>(
    of scenario: Scenario, _ text: String, _ body: (Recording?) throws(RunError) -> Result
  ) throws(RunError) -> Result {
    guard let record else { return try body(nil) }
    let recording = try Recording(of: scenario, text, seed: device.seed, to: record)
    let result: Result
    do throws(RunError) {
      result = try body(recording)
    } catch {
      // If both fail, the device's error is reported rather than the recording's.
      try? recording.close()
      throw error
    }
    try recording.close()
    return result
  }

  private func testCase(of scenario: Scenario) throws(RunError) -> Case? {
    guard let name = test else { return nil }
    if let found = scenario.cases.first(where: { $0.name == name || $0.criterion == name }) {
      return found
    }
    throw RunError(
      .file(scenario.file),
      "no case is called `\(name)`; the cases are "
        + scenario.cases.map { "`\($0.name)`" }.joined(separator: ", "), rule: "case")
  }

  /// Runs the device until it shuts down. Returns false if `test`, the case to run first, did not pass.
  private func run(
    _ device: RunningDevice, _ test: Case?, file: String
  ) throws(RunError) -> Bool {
    var builder = ReportBuilder()
    if test != nil {
      builder.add(try device.runCase(), file: file)
      show(builder.report.text())
    }
    if attached { Self.endWithInput() }
    show("the device \(device.name) is up; its control socket is \(device.socket)\n")
    show(DownText.text(try device.runUntilDown()) + "\n")
    return test == nil || builder.report.isPassed
  }

  /// Shuts the device down when standard input ends: a thread then sends SIGTERM to this process.
  private static func endWithInput() {
    Thread.detachNewThread {
      while (try? FileHandle.standardInput.read(upToCount: 1 << 10))?.isEmpty == false {}
      kill(getpid(), SIGTERM)
    }
  }

  /// Prints `text` without buffering, because other programs wait for it before they connect.
  private func show(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}

// MARK: - Down

struct Down: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "down",
    abstract: "Shut a running device down, and report how its apps ended.",
    discussion: "Exit status: 0 the device is down, 2 no device answers, 64 usage.")

  @Argument(
    help:
      "The running device: its name, folder, journal or control socket. Default: the only device that is up.",
    completion: .runningDevices)
  var device: String?

  @OptionGroup var control: ControlOptions

  func validate() throws {
    if device != nil, control.socket != nil {
      throw ValidationError(
        "the device and --socket exclude each other: name the device, or its control socket with --socket"
      )
    }
  }

  private func connect() throws(RunError) -> ControlConnection {
    guard let device else { return try control.connect() }
    guard let connection = try WatchedDevice(device).connect() else {
      throw RunError(.path(device), "the device is not running", rule: "socket")
    }
    return connection
  }

  func perform() throws(RunError) {
    let session = ControlSession(try connect(), .text)
    let outcome = try session.ask(.down)
    // The device closes the connection after it has stopped.
    try session.follow()
    if outcome != .held { Self.exit(withError: Failure.input) }
  }
}

enum DownText {
  static func text(_ report: DownReport) -> String {
    text(report.device, report.guests, report.killed, report.dropped)
  }

  static func text(_ result: JSONValue) -> String {
    let names = { (name: String) in (result[name]?.array ?? []).compactMap(\.string) }
    return text(
      result["device"]?.string ?? "", names("guests"), names("killed"),
      result["dropped"]?.int ?? 0)
  }

  private static func text(
    _ device: String, _ guests: [String], _ killed: [String], _ dropped: Int
  ) -> String {
    var line = "the device \(device) is down"
    let stopped = guests.filter { !killed.contains($0) }
    if !stopped.isEmpty { line += "; stopped: " + stopped.joined(separator: ", ") }
    if !killed.isEmpty { line += "; killed, as it did not stop: " + killed.joined(separator: ", ") }
    if dropped > 0 { line += "; steps not begun: \(dropped)" }
    return line
  }
}
