/// For whom a task of a guest asks, where that is not simply whom the guest acts for.
public struct TaskContext: Sendable, Hashable {
  /// The thread's identity: a UPN or an object id, `""` the unknown account; nil: unset.
  public var thread: String?
  /// The window that asks; `""`: the one in front.
  public var window: String

  public init(thread: String? = nil, window: String = "") {
    self.thread = thread
    self.window = window
  }

  /// Whether it says nothing at all.
  public var isEmpty: Bool { thread == nil && window.isEmpty }
}
