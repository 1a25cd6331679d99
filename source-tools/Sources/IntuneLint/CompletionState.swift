/// What has happened to a completion handler on a path.
enum CompletionState: Hashable {
  /// Nothing yet.
  case waiting
  /// It was called.
  case called
  /// It was given to other code, which may call it at any time.
  case handedOn
}
