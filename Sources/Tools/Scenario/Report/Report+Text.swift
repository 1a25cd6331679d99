/// The detail in which a text report shows cases that passed. It shows all others in full.
public enum ReportDetail: Sendable {
  /// One line for each case.
  case titles
  /// All steps of each case, too.
  case everything
}

extension Report {
  /// The report for people. Ends with a line break.
  public func text(palette: Palette = .plain, detail: ReportDetail = .titles) -> String {
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
