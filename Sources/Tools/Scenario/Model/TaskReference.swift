/// For whom the task acts that makes a step's request, where that is not simply its guest.
public struct TaskReference: Sendable, Equatable {
  /// The identity of the thread; nil: the thread says nothing.
  public var thread: IdentityReference?
  /// The window that asks; nil: the one in front.
  public var window: String?
}
