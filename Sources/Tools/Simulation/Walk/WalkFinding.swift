/// A violation of an invariant after a step.
struct WalkFinding {
  var invariant: WalkInvariant
  /// One sentence, in lower case.
  var sentence: String
}

/// The invariants of a walk, which hold after every step.
enum WalkInvariant: String {
  /// Texts that only the organisation's account has written can be read by nobody else.
  case protected
  /// Transfers among accounts that no policy protects are never restricted.
  case unrestricted
  /// Of an account that is gone from an app, nothing is left there, and everything of other accounts is.
  case parted
  /// The device does what the model predicts, and each step comes to an end.
  case predicted
  /// Data of a managed account come only where the search for leaks finds a way.
  case found
}
