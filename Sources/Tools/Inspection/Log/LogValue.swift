import Model

/// The value of one name in the SDK's diagnostic log.
enum LogValue: Sendable, Hashable {
  case flag(Bool)
  case number(Int)
  /// nil: no bound.
  case version(Version?)
  case text(String)
  /// Lower case.
  case list(Set<String>)
  /// What a log holds where it should not: another kind of value, as it stands there.
  case unreadable(String)
}
