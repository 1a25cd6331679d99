extension Report {
  /// One sentence for each reason why a case did not pass, with the number of its step, and the notes of that step.
  package var complaints: [String] {
    suites.flatMap(\.cases).flatMap { result in
      let remarks = result.steps.filter { !$0.holds }.flatMap { step in
        step.notes.map { CaseResult.Complaint(step: step, isError: false, text: $0) }
      }
      return result.complaints + remarks
    }.map { oneLine($0.sentence) }
  }
}
