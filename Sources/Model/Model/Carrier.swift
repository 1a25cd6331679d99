/// The way by which an item passes from one device to another.
public enum Carrier: String, Sendable, CaseIterable {
  case airDrop
  case mail
  case message
  /// What was copied on one of the user's devices can be pasted on the others.
  case universalClipboard
  /// A document in cloud storage, which all devices see under the account that owns it.
  case storage

  /// The ways by which documents come that an app can open.
  public static let opened: [Carrier] = [.airDrop, .mail, .message]
}
