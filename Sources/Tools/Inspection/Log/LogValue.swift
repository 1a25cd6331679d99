import Model

/// The value of one name in the SDK's diagnostic log.
enum LogValue: Sendable, Hashable {
  case flag(Bool)
  case number(Int)
  /// A version; nil: no bound.
  case version(Version?)
  case text(String)
  /// A list of words, in lower case.
  case list(Set<String>)
  /// A value of another kind than the name should have, as it stands in the log.
  case unreadable(String)
}
