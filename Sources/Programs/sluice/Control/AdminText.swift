internal import Foundation
internal import JSON
internal import Simulation

/// The answers of a device to its administrator, as text for people.
enum AdminText {
  // MARK: the outcome of applying

  /// A line for each app and extension that something changes for, and one for the whole.
  static func outcome(_ result: JSONValue) -> [String] {
    let changes = result["changes"]?.array ?? []
    let active = result["active"]?.array?.count ?? 0
    let count = result["declarations"]?.int ?? 0
    return changes.map(change) + [
      "\(number(count, "declaration")): \(number(active, "configuration")) active, "
        + (changes.isEmpty ? "nothing changes for an app" : "\(number(changes.count, "change"))")
    ]
  }

  private static func number(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func change(_ change: JSONValue) -> String {
    let told = strings(change["running"])
    let line =
      "\(text(change["bundle"])) (\(text(change["team"]))): "
      + strings(change["aspects"]).joined(separator: ", ")
    return told.isEmpty ? line : line + "; told: " + told.joined(separator: ", ")
  }

  /// A problem in the form of all mistakes in input: `file:line:column: error: sentence [rule]`.
  static func problem(_ problem: JSONValue) -> String {
    let place = [problem["line"], problem["column"]].compactMap { $0?.int }.map { ":\($0)" }
    return text(problem["file"]) + place.joined()
      + ": \(text(problem["severity"])): \(text(problem["message"])) [declarations]"
  }

  // MARK: events

  /// A line for an event: `2026-01-01T09:00:00Z com.contoso.landmarks 100: the collection has no name`
  static func event(_ event: JSONValue) -> String {
    let code = "\(event["code"]?.int ?? 0): \(text(event["message"]))"
    return [text(event["time"]), event["app"]?.string, code].compactMap(\.self)
      .joined(separator: " ")
  }

  // MARK: the status report

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
      parts.append("that of \(other.name) is \(text(other.value["state"]))")
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

/// The outcome of taking a device down, as text for people.
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
