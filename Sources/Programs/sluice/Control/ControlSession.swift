internal import ArgumentParser
internal import DeviceClient
internal import DeviceControl
internal import Encodings
internal import Foundation
internal import Output
internal import Scenario
internal import Simulation

/// A client that sends requests to a running device and prints the answers.
final class ControlSession {
  private let connection: ControlConnection
  private let format: TextFormat

  /// The outcome of a request to the device, from the least to the most severe.
  enum Outcome: Int, Comparable {
    case held
    /// An expectation of the step is not met, or the device could not perform the step.
    case failed
    case refused

    /// The exit status of a command with this outcome; nil stands for success.
    var status: ExitCode? {
      switch self {
      case .held: nil
      case .failed: Failure.expectation
      case .refused: Failure.input
      }
    }

    static func < (left: Outcome, right: Outcome) -> Bool { left.rawValue < right.rawValue }
  }

  init(_ connection: ControlConnection, _ format: TextFormat) {
    self.connection = connection
    self.format = format
  }

  /// Sends a request and prints the answer. Throws an error if the answer has no result.
  func ask(_ call: ControlCall) throws(RunError) -> Outcome {
    let answer = try result(of: call.method, call.parameters)
    if let error = answer["error"] {
      for line in Self.lines(of: error, about: call) { Failure.print(line.escapingUnprintable()) }
      return .refused
    }
    guard let result = answer["result"] else {
      throw RunError(.command, "the device's answer has no result", rule: "socket", origin: .own)
    }
    show(result, of: call.method)
    for problem in result["problems"]?.array ?? [] {
      Failure.print(AdminText.problem(problem).escapingUnprintable())
    }
    return result["holds"]?.bool == false ? .failed : .held
  }

  /// Calls a method of the device, and returns the whole answer. Prints notices that arrive before it.
  func result(of method: String, _ parameters: String? = nil) throws(RunError) -> JSONValue {
    do throws(ControlConnection.ConnectionError) {
      return try connection.call(method, parameters) { [self] in show(notice: $0) }
    } catch {
      throw RunError(.command, "the device closed the connection: \(error)", rule: "socket")
    }
  }

  /// Prints the events that the device sends, until it shuts down.
  func follow() throws(RunError) {
    do throws(ControlConnection.ConnectionError) {
      while let line = try connection.nextLine() {
        if let notice = try? JSONReader.read(line) { show(notice: notice) }
      }
    } catch {
      throw RunError(.command, "\(error)", rule: "socket")
    }
  }

  private func show(notice: JSONValue) {
    guard let event = notice["params"] else { return }
    switch format {
    case .json: write([event.line])
    case .text:
      switch notice["method"]?.string {
      case "events": write([AdminText.event(event).escapingUnprintable()])
      case "journal": write([EventLine(event).description])
      default:  // open: a notice from a newer device
        write([event.line])
      }
    }
  }

  private func show(_ result: JSONValue, of method: String) {
    switch format {
    case .json: write([result.line])
    case .text: write(Self.lines(result, of: ControlMethod(rawValue: method)))
    }
  }

  /// Returns a method's result as text. `method` is nil for a step.
  private static func lines(_ result: JSONValue, of method: ControlMethod?) -> [String] {
    let lines: [String]
    switch method {
    // The keys are for programs, so they are printed as JSON.
    case .tokenKeys: return [result.line]
    case .journal: return result["events"]?.array?.map { EventLine($0).description } ?? []
    case .status: lines = pairs(result)
    case .apps: lines = rows(result["apps"], appColumns)
    case .accounts: lines = rows(result["accounts"], accountColumns)
    case .policies: lines = rows(result["policies"], ["name", "file"])
    case .output: lines = output(result)
    case .methods:
      lines = [result["methods"], result["steps"]].flatMap { $0?.array ?? [] }.map(\.words)
    case .down: lines = [DownText.text(result)]
    case .apply: lines = AdminText.outcome(result)
    case .report: lines = AdminText.report(result)
    case .events: lines = result["events"]?.array?.map(AdminText.event) ?? []
    case .step, nil: lines = step(result)
    }
    return lines.map { $0.escapingUnprintable() }
  }

  private func write(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  // MARK: Texts

  /// Returns a line for the main error in the answer to `call`, and for each of its other errors.
  private static func lines(of error: JSONValue, about call: ControlCall) -> [String] {
    let data = error["data"]
    let others = data?["others"]?.array ?? []
    return [line(error["message"], data, about: call)]
      + others.map { line($0["message"], $0, about: call) }
  }

  /// Returns an error as a line. `data` contains the error's position and rule. Without a position, the line names only
  /// the subject of `call`; without a rule, it ends in `[request]`.
  private static func line(
    _ message: JSONValue?, _ data: JSONValue?, about call: ControlCall
  ) -> String {
    var place = call.subject ?? "step"
    if call.hasPlaces, let line = data?["line"]?.int, let column = data?["column"]?.int {
      place += ":\(line):\(column)"
    }
    let rule = data?["rule"]?.string ?? "request"
    return "\(place): error: \(message?.string ?? "refused") [\(rule)]"
  }

  private static func step(_ result: JSONValue) -> [String] {
    var lines = (result["report"]?.array ?? []).compactMap(\.string)
    let times = result["times"]?.int ?? 1
    if times != 1 {
      lines.append(
        "   \(times) times, \(result["failed"]?.int ?? 0) not as expected; the last is shown")
    }
    for observed in result["observed"]?.array ?? [] {
      if let text = observed["received"]?.string { lines.append("   received `\(text)`") }
      for line in observed["sheet"]?.array ?? [] {
        lines.append(
          "   "
            + ["visibility", "name", "why"].compactMap { line[$0]?.string }
            .joined(separator: "  "))
      }
    }
    return lines
  }

  private static func output(_ result: JSONValue) -> [String] {
    (result["output"]?.array ?? []).flatMap { guest in
      (guest["lines"]?.array ?? []).compactMap(\.string).map {
        "\(guest["guest"]?.string ?? ""): \($0)"
      }
    }
  }

  private static func pairs(_ value: JSONValue) -> [String] {
    let members = value.members ?? []
    let width = members.map(\.name.count).max() ?? 0
    return members.map { member in
      member.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + member.value.words
    }
  }

  private static let appColumns = [
    "name", "bundle", "extension", "state", "identity", "managed", "signedIn",
  ]
  private static let accountColumns = ["name", "upn", "objectId", "tenant"]

  /// Returns the objects of a list as a table: a line with the column names, and a line for each object. A column is
  /// omitted if no object has a value for it.
  private static func rows(_ value: JSONValue?, _ columns: [String]) -> [String] {
    let objects = value?.array ?? []
    let shown = columns.filter { name in objects.contains { $0[name] != nil } }
    guard !shown.isEmpty else { return [] }
    return TextColumns.lines(
      [shown] + objects.map { object in shown.map { object[$0]?.words ?? "" } })
  }
}

extension JSONValue {
  /// The value as text: strings without quotes, lists separated by commas, and other values as JSON.
  fileprivate var words: String {
    switch kind {
    case .string(let text): text
    case .array(let elements): elements.map(\.words).joined(separator: ", ")
    case .null, .bool, .number, .object: line
    }
  }
}

/// The option that selects the running device.
struct ControlOptions: ParsableArguments {
  @Option(
    help: "Path of the device's control socket; default: the only device that is up.",
    completion: .file())
  var socket: String?

  func connect() throws(RunError) -> ControlConnection {
    let path = if let socket { socket } else { try ControlSocket.only() }
    do throws(ControlConnection.ConnectionError) {
      return try ControlConnection(path)
    } catch {
      throw RunError(.path(path), "\(error)", rule: "socket")
    }
  }
}
