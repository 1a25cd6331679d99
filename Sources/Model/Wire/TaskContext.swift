/// The identity that a task of a guest asks for, where it differs from the one that the guest acts for.
public struct TaskContext: Sendable, Hashable {
  /// The thread's identity: a UPN or an object id, `""` for the unknown account; nil where unset.
  public var thread: String?
  /// The window that asks; `""` for the one in front.
  public var window: String

  /// A context of thread and window; without arguments, an empty one.
  public init(thread: String? = nil, window: String = "") {
    self.thread = thread
    self.window = window
  }

  /// Whether the context states neither thread nor window.
  public var isEmpty: Bool { thread == nil && window.isEmpty }
}
