import Encodings
import Model

extension Report {
  /// Returns the report as TAP 14, with a test point for each suite and its cases as a subtest.
  package func tap() -> String {
    var lines = ["TAP version 14", "1..\(suites.count)"]
    for (index, suite) in suites.enumerated() {
      let title = suite.file.map { "\(suite.name) (\($0))" } ?? suite.name
      lines.append("# Subtest: \(description(title))")
      lines += suite.lines.map { "    " + $0 }
      lines.append(point(index + 1, title, isPassed: suite.isPassed))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension SuiteResult {
  fileprivate var lines: [String] {
    var lines = ["1..\(cases.count)"]
    for (index, result) in cases.enumerated() {
      let title = result.title + (result.expectsNothing ? " (expects nothing)" : "")
      switch result.outcome {
      case .passed: lines.append(point(index + 1, title, isPassed: true))
      case .failed, .errored:
        lines.append(point(index + 1, title, isPassed: false))
        lines += result.diagnostics(in: file).map { "  " + $0 }
      case .notRun:
        let why = description(result.reasonNotRun ?? "")
        lines.append(point(index + 1, title, isPassed: true) + " # SKIP \(why)")
      }
    }
    return lines
  }
}

extension CaseResult {
  /// Returns the case as a YAML block. Every text is written as a JSON string, which is also valid YAML.
  fileprivate func diagnostics(in file: String?) -> [String] {
    var lines = ["---", "outcome: \(outcome.rawValue)", "problems:"]
    for complaint in complaints {
      lines.append("  - \(JSONWriter.quoted(complaint.line(in: file)))")
    }
    lines.append(steps.isEmpty ? "steps: []" : "steps:")
    for step in steps {
      lines.append("  - text: \(JSONWriter.quoted(step.text))")
      guard !step.requests.isEmpty else { continue }
      lines.append("    verdicts:")
      for request in step.requests {
        let verdict = request.decision.verdict
        lines.append("      - outcome: \(verdict.outcome.rawValue)")
        lines.append("        decidedBy: \(verdict.deciding.rawValue)")
        lines.append("        standing: \(JSONWriter.quoted(verdict.standing.text))")
        if let end = request.end { lines.append("        end: \(end.rawValue)") }
      }
    }
    if !output.isEmpty { lines.append("output:") }
    for output in output {
      lines.append("  - guest: \(JSONWriter.quoted(output.guest))")
      lines.append("    lines:")
      lines += output.lines.map { "      - \(JSONWriter.quoted($0))" }
    }
    if !warnings.isEmpty { lines.append("warnings:") }
    lines += warnings.map { "  - \(JSONWriter.quoted($0))" }
    return lines + ["..."]
  }
}

private func point(_ number: Int, _ title: String, isPassed: Bool) -> String {
  "\(isPassed ? "ok" : "not ok") \(number) - \(description(title))"
}

/// Returns a one-line description with `#` escaped, so it cannot start a directive.
private func description(_ text: String) -> String {
  oneLine(text).reduce(into: "") { escaped, character in
    if character == "\\" || character == "#" { escaped.append("\\") }
    escaped.append(character)
  }
}
