/// The task that makes a step's request, where its identity is not simply that of its guest.
public struct TaskReference: Sendable, Equatable {
  /// The identity of the thread; nil: the thread has none.
  public var thread: IdentityReference?
  /// The window that the task acts in; nil: the one in front.
  public var window: String?
}
