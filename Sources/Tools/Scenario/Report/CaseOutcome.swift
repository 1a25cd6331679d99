/// The outcome of a case.
public enum CaseOutcome: String, Sendable, CaseIterable {
  /// Every step was carried out, and every expectation held.
  case passed
  /// An expectation did not hold.
  case failed
  /// A step could not be carried out, or the journal ends before the case does.
  case errored
  /// The case was left out: this installation lacks what it needs.
  case notRun

  /// The outcome in words, such as `not run`.
  public var words: String {
    switch self {
    case .passed, .failed, .errored: rawValue
    case .notRun: "not run"
    }
  }
}
