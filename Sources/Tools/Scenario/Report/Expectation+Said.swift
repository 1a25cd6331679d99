extension Expectation {
  /// Compares what the guest has written, line by line.
  func compareLines(with observation: Observation) -> [Comparison] {
    let lines = (observation.received ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    return said.map { text in
      Comparison(
        expected: "a line with \(Excerpt(text).words)",
        found: observation.received?.isEmpty ?? true
          ? "no line" : Excerpt(observation.received ?? "").words,
        isMet: lines.contains { $0.contains(text) })
    }
  }
}
