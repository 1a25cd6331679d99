/// A document that has come by the app's Open-In action: a file of the app's own container from now on, which keeps
/// its owner.
public struct OpenedDocument: Sendable, Hashable {
  /// The path in `Documents/Inbox` of the container; ``Application/openFile(atPath:for:inGroup:completion:)`` opens it.
  public let path: String
  /// The name under which the document was shared; the file's name has a number behind it where it was taken.
  public let name: String
  /// A uniform type identifier, as the sender states it.
  public let type: String
}
