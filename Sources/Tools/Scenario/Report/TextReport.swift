internal import Encodings
import JSON
import Model

/// The detail in which a text report shows cases that passed. It shows all others in full.
package enum ReportDetail: Sendable {
  /// One line for each case.
  case titles
  /// All steps of each case, too.
  case everything
}

extension Report {
  /// The report for people. Ends with a line break.
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
    return "\(total) case\(total == 1 ? "" : "s"): \(parts.joined(separator: ", "))"
  }

  /// How many of the passed cases could not have failed, in parentheses.
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

  /// The largest number of warnings that a case cites.
  private static let mostWarnings = 5

  /// The first of the warnings, and how many more there are.
  var warningLines: [String] {
    let more = warnings.count - Self.mostWarnings
    return warnings.prefix(Self.mostWarnings).map(oneLine)
      + (more > 0 ? ["\(more) more warning\(more == 1 ? "" : "s") about the scenario's files"] : [])
  }

  /// The output of the guests, each under its name.
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

// MARK: - Palette

/// The marks of words in a text report. Plain unless a caller that knows the terminal sets others.
package struct Palette: Sendable {
  /// A function that marks a text.
  package typealias Paint = @Sendable (String) -> String

  /// The mark of success.
  package var good: Paint
  /// The mark of failure.
  package var bad: Paint
  /// The mark of verdicts, rules and titles.
  package var strong: Paint
  /// The mark of details.
  package var faint: Paint

  /// Creates a palette of four marks.
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
