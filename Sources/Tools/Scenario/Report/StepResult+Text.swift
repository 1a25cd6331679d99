internal import Encodings
import JSON
import Model

extension StepResult {
  /// The step as lines of text: its action, each verdict with its reasons, and the expectations that were not met.
  ///
  /// - Parameter file: the scenario's file; nil: not known.
  func lines(_ palette: Palette, in file: String?) -> [String] {
    var lines = ["\(number). \(oneLine(text))"]
    for request in requests { lines += request.lines(palette).map { "   " + $0 } }
    lines += notes.map { "   " + palette.faint(oneLine($0)) }
    lines += failures.map { "   " + complaint($0, at: position, palette, in: file) }
    for expectation in expectations where !expectation.isMet {
      lines.append(
        "   " + complaint(expectation.text, at: expectation.position, palette, in: file))
    }
    return lines
  }

  private func complaint(
    _ text: String, at position: Position?, _ palette: Palette, in file: String?
  ) -> String {
    let place = position?.place(in: file).map { "\(oneLine($0)): " } ?? ""
    return place + palette.bad(oneLine(text))
  }
}

extension RequestResult {
  fileprivate func lines(_ palette: Palette) -> [String] {
    let verdict = decision.verdict
    var head =
      "\(decision.operation.rawValue) "
      + palette.strong("\(verdict.outcome.rawValue) by \(verdict.deciding.rawValue)")
    if let end { head += ", \(end.words)" }
    if let detail { head += ": \(oneLine(detail))" }
    var lines = [head]
    if let sender = decision.sender {
      lines.append("  " + palette.faint("from \(oneLine(sender.text))"))
    }
    if let receiver = decision.receiver {
      lines.append("  " + palette.faint("to \(oneLine(receiver.text))"))
    }
    if let returned { lines.append("  handed back \(oneLine(Excerpt(returned).words))") }
    for reason in verdict.reasons { lines += reason.lines(palette).map { "  " + $0 } }
    for change in verdict.changes {
      lines.append("  " + palette.faint("for another answer: ") + oneLine(change))
    }
    return lines
  }
}

extension Explanation {
  fileprivate func lines(_ palette: Palette) -> [String] {
    let mark = isAssumed ? " (assumed)" : ""
    var lines = ["\(palette.strong(rule.rawValue)) (\(side.rawValue)): \(oneLine(text))\(mark)"]
    let choice = [label, value].compactMap(\.self).joined(separator: ": ")
    if !choice.isEmpty { lines.append("  " + oneLine(choice)) }
    let place = [setting, source].compactMap(\.self).joined(separator: ", ")
    if !place.isEmpty { lines.append("  " + palette.faint(oneLine(place))) }
    return lines
  }
}

extension Participant {
  /// The guest, its app and its identity, such as `mail (com.contoso.mail), managed account anna@contoso.com`.
  fileprivate var text: String {
    let who =
      switch identity {
      case nil: "no identity"
      case "": "unknown account"
      case let upn?: "\(isManaged ? "managed" : "unmanaged") account \(upn)"
      }
    return "\(guest) (\(app)), \(who)"
  }
}

extension RequestEnd {
  fileprivate var words: String { self == .deliveredEncrypted ? "delivered encrypted" : rawValue }
}

/// The text with every control character and line break as a space: the text may come from guests, and terminals obey
/// some of these characters.
func oneLine(_ text: String) -> String { text.printable(replacing: " ") }
