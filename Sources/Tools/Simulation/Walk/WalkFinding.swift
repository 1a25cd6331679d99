/// What is wrong after a step.
struct WalkFinding {
  var invariant: WalkInvariant
  /// One sentence, lower case.
  var sentence: String
}

/// What holds after every step.
enum WalkInvariant: String {
  /// What only the organisation's account has written, nobody else can read.
  case protected
  /// What stays with those whom no policy protects, is never restricted.
  case unrestricted
  /// Of an account that is gone from an app, nothing is left there, and of others all is.
  case parted
  /// The device does what the model says, and comes to an end with it.
  case predicted
}
