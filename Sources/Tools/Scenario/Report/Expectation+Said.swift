extension Expectation {
  private func last(_ lines: [Substring]) -> String {
    lines.suffix(3).map { Excerpt(String($0)).words }.joined(separator: ", ")
  }

  /// Compares what the guest has written, line by line.
  func compareLines(with observation: Observation) -> [Comparison] {
    let lines = (observation.received ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    return said.map { text in
      Comparison(
        expected: "a line with \(Excerpt(text).words)",
        found: observation.received?.isEmpty ?? true
          ? "no line"
          : lines.count > 3
            ? "\(lines.count) lines, the last of them \(last(lines))" : last(lines),
        isMet: lines.contains { $0.contains(text) })
    }
  }
}
