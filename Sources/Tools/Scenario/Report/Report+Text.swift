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
      let paint = outcome == .passed ? palette.good : palette.bad
      return paint("\(count) \(outcome.rawValue)")
    }
    return "\(total) case\(total == 1 ? "" : "s"): \(parts.joined(separator: ", "))"
  }
}

extension CaseResult {
  fileprivate func lines(
    _ palette: Palette, _ detail: ReportDetail, in file: String?
  ) -> [String] {
    let outcome = outcome
    let paint = outcome == .passed ? palette.good : palette.bad
    var lines = ["\(paint(outcome.rawValue)) \(oneLine(title))"]
    guard outcome != .passed || detail == .everything else { return lines }
    for step in steps { lines += step.lines(palette, in: file).map { "  " + $0 } }
    if !isEnded { lines.append("  " + palette.bad("the journal ends within the case")) }
    guard outcome != .passed else { return lines }
    return lines + outputLines.map { "  " + $0 }
  }

  /// The output of the guests, each under its name.
  var outputLines: [String] {
    output.flatMap { output in
      [oneLine(output.title)] + output.lines.map { "  " + oneLine($0) }
    }
  }
}
