internal import Encodings
import JSON
import Model

/// The level of detail for cases that passed. All others are shown in full.
package enum ReportDetail: Sendable {
  /// One line for each case.
  case titles
  /// Includes all steps of each case.
  case everything
}

extension Report {
  /// Returns the report as text with a final line break.
  package func text(palette: Palette = .plain, detail: ReportDetail = .titles) -> String {
    var lines: [String] = []
    for suite in suites {
      let place = suite.file.map { palette.faint(" (\(oneLine($0)))") } ?? ""
      lines.append(palette.strong(oneLine(suite.name)) + place)
      for result in suite.cases {
        lines += result.lines(palette, detail, in: suite.file).map { "  " + $0 }
      }
      lines.append("")
    }
    lines.append(summary(palette))
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ palette: Palette) -> String {
    let total = suites.reduce(0) { $0 + $1.cases.count }
    guard total > 0 else { return "no cases" }
    let parts = CaseOutcome.allCases.compactMap { outcome -> String? in
      let count = count(of: outcome)
      guard count > 0 else { return nil }
      return outcome.paint(palette)("\(count) \(outcome.words)") + remark(on: outcome)
    }
    return "\(total.counting("case")): \(parts.joined(separator: ", "))"
  }

  /// Returns the number of passed cases without expectations, in parentheses.
  private func remark(on outcome: CaseOutcome) -> String {
    let count = countWithoutExpectations
    guard outcome == .passed, count > 0 else { return "" }
    return " (\(count) expect\(count == 1 ? "s" : "") nothing)"
  }
}

extension CaseResult {
  fileprivate func lines(
    _ palette: Palette, _ detail: ReportDetail, in file: String?
  ) -> [String] {
    let outcome = outcome
    let remark =
      reasonNotRun.map { ": \(oneLine($0))" } ?? (expectsNothing ? " (expects nothing)" : "")
    var lines = ["\(outcome.paint(palette)(outcome.words)) \(oneLine(title))"]
    if !remark.isEmpty { lines[0] += palette.faint(remark) }
    guard outcome != .notRun, outcome != .passed || detail == .everything else { return lines }
    for step in steps { lines += step.lines(palette, in: file).map { "  " + $0 } }
    if !isEnded { lines.append("  " + palette.bad("the journal ends within the case")) }
    guard outcome != .passed else { return lines }
    return lines + (outputLines + warningLines).map { "  " + $0 }
  }

  /// The maximum number of warnings cited for a case.
  private static let mostWarnings = 5

  /// The first warnings and the number of the others.
  var warningLines: [String] {
    let more = warnings.count - Self.mostWarnings
    return warnings.prefix(Self.mostWarnings).map(oneLine)
      + (more > 0 ? ["\(more.counting("more warning")) about the scenario's files"] : [])
  }

  /// The guests' output, each under the guest's name.
  var outputLines: [String] {
    output.flatMap { output in
      [oneLine(output.title)] + output.lines.map { "  " + oneLine($0) }
    }
  }
}

extension CaseOutcome {
  fileprivate func paint(_ palette: Palette) -> Palette.Paint {
    switch self {
    case .passed: palette.good
    case .failed, .errored: palette.bad
    case .notRun: palette.faint
    }
  }
}

// MARK: - Steps

extension StepResult {
  /// Returns the step as lines: its action, each verdict with its reasons, and the unmet expectations.
  ///
  /// - Parameter file: The scenario file; nil if unknown.
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
  /// The guest, its app and its identity, such as
  /// `mail (com.contoso.mail), managed account anna@contoso.com`.
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

/// Replaces control characters and line breaks by spaces. The text may come from guests, and terminals
/// interpret control characters.
func oneLine(_ text: String) -> String { text.printable(replacing: " ") }

// MARK: - Palette

/// The text styles of a report. Plain by default; a caller that knows the terminal can set others.
package struct Palette: Sendable {
  /// A function that adds a style to a text.
  package typealias Paint = @Sendable (String) -> String

  /// The style of success.
  package var good: Paint
  /// The style of failure.
  package var bad: Paint
  /// The style of verdicts, rules and titles.
  package var strong: Paint
  /// The style of details.
  package var faint: Paint

  package init(
    good: @escaping Paint, bad: @escaping Paint, strong: @escaping Paint, faint: @escaping Paint
  ) {
    self.good = good
    self.bad = bad
    self.strong = strong
    self.faint = faint
  }

  package static let plain = Palette(good: { $0 }, bad: { $0 }, strong: { $0 }, faint: { $0 })
}
