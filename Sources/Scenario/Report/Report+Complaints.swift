extension Report {
  /// One sentence for each reason why a case did not pass, with the number of its step.
  package var complaints: [String] {
    suites.flatMap(\.cases).flatMap(\.complaints).map { oneLine($0.sentence) }
  }
}
