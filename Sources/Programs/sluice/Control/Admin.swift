internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import Simulation

struct Admin: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin",
    abstract: "Administer a running device: apply declarations, and see their status.",
    subcommands: [AdminApply.self, AdminStatus.self, AdminEvents.self])
}

private struct AdminOptions: ParsableArguments {
  @Option(help: "Format of the answers; json is the device's own.")
  var format = TextFormat.text

  @OptionGroup var control: ControlOptions

  /// Sends the request and prints the answer. If `call` requests new events, also prints each event until the device
  /// shuts down. If the request fails, exits with the matching status.
  func ask(_ call: ControlCall) throws(RunError) {
    let session = ControlSession(try control.connect(), format)
    let outcome = try session.ask(call)
    if call.isFollowing, outcome == .held { try session.follow() }
    if let status = outcome.status { Admin.exit(withError: status) }
  }
}

// MARK: - Commands

private struct AdminApply: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a folder of declarations, or a profile, in place of all earlier ones.",
    discussion: """
      docs/declarations.md describes the folder. Prints the changes for each app and extension; errors in the \
      folder go to standard error. Invalid declarations are skipped; the others apply.

      Exit status: 0 applied, 1 applied except for invalid declarations, 2 nothing applied: the folder does not \
      exist, the profile cannot be used, the device is not enrolled in MDM, or no device answers, 64 usage.
      """)

  @Argument(
    help: "The folder of declarations, or a configuration profile (.mobileconfig, signed or not).",
    completion: .file())
  var path: String

  @OptionGroup var options: AdminOptions

  func perform() throws(RunError) { try options.ask(ControlCall(applying: path)) }
}

private struct AdminStatus: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether each declaration is active and valid, and why.",
    discussion: "Exit status: 0 shown, 2 no device answers, 64 usage.")

  @OptionGroup var options: AdminOptions

  func perform() throws(RunError) { try options.ask(.report) }
}

private struct AdminEvents: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Show the event log: reports of apps about their configurations, and errors.",
    discussion: "Exit status: 0 shown, 2 no device answers, 64 usage.")

  @Option(help: "The maximum number of events, from the last ones: 0 to 1000.")
  var limit = 100

  @Flag(help: "Follow new events until the device shuts down.")
  var follow = false

  @OptionGroup var options: AdminOptions

  func validate() throws {
    guard (0...1_000).contains(limit) else {
      throw ValidationError("--limit must be 0 to 1000, found \(limit)")
    }
  }

  func perform() throws(RunError) {
    try options.ask(ControlCall(eventsAtMost: limit, follow: follow))
  }
}

// MARK: - Answers

/// Text for a device's reports about declarations.
enum AdminText {
  // MARK: The outcome of applying

  /// Returns the result of applying declarations: a line for each app or extension that changes, and a summary.
  static func outcome(_ result: JSONValue) -> [String] {
    let changes = result["changes"]?.array ?? []
    let active = result["active"]?.array?.count ?? 0
    let count = result["declarations"]?.int ?? 0
    return changes.map(change) + [
      "\(count.counting("declaration")): \(active.counting("configuration")) active, "
        + (changes.isEmpty ? "no app is affected" : "\(changes.count.counting("change"))")
    ]
  }

  private static func change(_ change: JSONValue) -> String {
    let notified = strings(change["running"])
    let line =
      "\(text(change["bundle"])) (\(text(change["team"]))): "
      + strings(change["aspects"]).joined(separator: ", ")
    return notified.isEmpty ? line : line + "; notified: " + notified.joined(separator: ", ")
  }

  /// Returns a problem in a declaration, in the format of input errors: `file:line:column: error: sentence [rule]`.
  static func problem(_ problem: JSONValue) -> String {
    let place = [problem["line"], problem["column"]].compactMap { $0?.int }.map { ":\($0)" }
    return text(problem["file"]) + place.joined()
      + ": \(text(problem["severity"])): \(text(problem["message"])) [declarations]"
  }

  // MARK: Events

  /// Returns an event of the administrator's log as a line, such as
  /// `2026-01-01T09:00:00Z com.contoso.landmarks 100: the collection has no name`.
  static func event(_ event: JSONValue) -> String {
    let code = "\(event["code"]?.int ?? 0): \(text(event["message"]))"
    return [text(event["time"]), event["app"]?.string, code].compactMap(\.self)
      .joined(separator: " ")
  }

  // MARK: The status report

  static func report(_ result: JSONValue) -> [String] {
    guard let items = result["report"]?["StatusItems"] else { return ["nothing is declared"] }
    let declarations = items["management"]?["declarations"]
    let lines = (declarations?.members ?? []).flatMap { kind in
      list(kind.name, kind.value.array ?? [], declaration)
    }
    let apps = list("apps", items["app"]?["managed"]?["list"]?.array ?? [], app)
    return lines + apps + (result["report"]?["Errors"]?.array ?? []).flatMap(error)
  }

  private static func list(
    _ title: String, _ entries: [JSONValue], _ line: (JSONValue) -> [String]
  ) -> [String] {
    entries.isEmpty ? [] : [title] + entries.flatMap(line)
  }

  private static func declaration(_ state: JSONValue) -> [String] {
    let isActive = state["active"]?.bool ?? false
    let words = [isActive ? "active" : "inactive", text(state["valid"])]
    return [
      "  " + columns(words, [8, 7])
        + "  \(text(state["identifier"])), token \(text(state["server-token"]))"
    ] + reasons(state)
  }

  private static func app(_ app: JSONValue) -> [String] {
    let configurations = app["config-state"]
    var parts = [text(app["identifier"])]
    if let own = configurations?["app-config-state"] {
      parts.append("its configuration is \(text(own["state"]))")
    }
    for other in configurations?["extension-config-state"]?.members ?? [] {
      parts.append("the configuration of \(other.name) is \(text(other.value["state"]))")
    }
    return ["  " + columns([text(app["state"])], [11]) + "  " + parts.joined(separator: ", ")]
      + reasons(app)
  }

  private static func reasons(_ value: JSONValue) -> [String] {
    (value["reasons"]?.array ?? []).map { reason in
      "    \(text(reason["code"])): \(text(reason["description"]))"
    }
  }

  private static func error(_ error: JSONValue) -> [String] {
    (error["Reasons"]?.array ?? []).map { reason in
      "\(text(error["StatusItem"])): \(text(reason["Description"]))"
    }
  }

  private static func columns(_ words: [String], _ widths: [Int]) -> String {
    zip(words, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
      .joined(separator: "  ")
  }

  private static func text(_ value: JSONValue?) -> String { value?.string ?? "" }

  private static func strings(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }
}
