/// A document that has come by the app's Open-In action: a file of the app's own container from now on, which belongs
/// to whom it belonged before.
public struct OpenedDocument: Sendable, Hashable {
  /// In `Documents/Inbox` of the container; ``Application/openFile(atPath:for:inGroup:completion:)`` opens it.
  public let path: String
  /// The name under which it was shared; that of the file has a number behind it where there was one already.
  public let name: String
  /// A uniform type identifier, as the sender states it.
  public let type: String
}
