/// The state of a completion handler on a path through a function.
enum CompletionState: Hashable {
  /// The handler has not been called.
  case waiting
  case called
  /// The handler has been passed to other code, which may call it at any time.
  case handedOn
}
