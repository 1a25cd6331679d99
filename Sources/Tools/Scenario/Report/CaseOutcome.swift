/// The outcome of a case.
public enum CaseOutcome: String, Sendable, CaseIterable {
  /// Every step was carried out, and every expectation held.
  case passed
  /// An expectation did not hold.
  case failed
  /// A step could not be carried out, or the journal ends before the case does.
  case errored
}
