/// The use of a file that a guest asks to open.
public enum FileUse: String, Sendable, CaseIterable {
  /// Only the owner is asked for.
  case asking
  case reading
  /// Reading and writing; what is there stays until it is written over.
  case updating
  /// Reading and writing a file that is made, or emptied.
  case beginning
}
