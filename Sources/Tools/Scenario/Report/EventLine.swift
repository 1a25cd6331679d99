public import JSON
internal import Model

/// An event of a journal in one line, for people.
///
/// What happened to a request is a sentence with rule and place; other events are their names and members, but for what
/// is a list of settings or facts.
public struct EventLine: CustomStringConvertible, Sendable {
  public let description: String

  /// The line of an event as the journal has it; an event of a newer version is taken by its members.
  public init(_ event: JSONValue) {
    let time = event["time"]?.string.map { "\($0)  " } ?? ""
    let known = try? JournalEvent(line: event.line)
    let text = (known?.kind.sentence ?? Self.members(of: event)).inOneLine
    description = time + text
  }

  private static func members(of event: JSONValue) -> String {
    let name = event["event"]?.string ?? "event"
    let members = (event.members ?? []).filter { !["seq", "time", "event"].contains($0.name) }
    return
      ([name] + members.compactMap { member in member.value.word.map { "\(member.name)=\($0)" } })
      .joined(separator: " ")
  }
}

extension JournalEvent.Kind {
  /// What happened to a request, in a sentence; nil for other events.
  fileprivate var sentence: String? {
    switch self {
    case .decided(let decision): decision.sentence
    case .ended(let request, let end, _, let detail):
      "request \(request) \(end.rawValue)" + (detail.map { ": \($0)" } ?? "")
    case .stepBegan(let step, let text, _): "step \(step): \(text)"
    default: note
    }
  }
}

extension RequestDecision {
  /// Who asked for what, the outcome, the rule and the place of its setting.
  var sentence: String {
    let ends = [sender?.guest, receiver?.guest ?? subject].compactMap(\.self)
      .joined(separator: " → ")
    let reason = verdict.reasons.first { $0.rule == verdict.deciding }
    let source = reason?.source.map { ", \($0)" } ?? ""
    return "request \(request) \(operation.rawValue) \(ends): \(verdict.outcome.rawValue) by "
      + "\(verdict.deciding.rawValue)\(source)"
  }
}

extension JSONValue {
  /// The value in a word, or some; nil where it is an object, or a list of objects.
  fileprivate var word: String? {
    switch kind {
    case .object: nil
    case .string(let text): text.contains(" ") || text.isEmpty ? "`\(text)`" : text
    case .array(let elements):
      elements.contains { $0.members != nil }
        ? nil : elements.compactMap(\.word).joined(separator: ",")
    default: line
    }
  }
}

extension String {
  /// The text without what would steer a terminal or begin another line.
  var inOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
