/// A payload of a configuration profile.
public struct ProfilePayload: Sendable, Hashable {
  /// `PayloadType`.
  public var type: String
  /// `PayloadIdentifier`; nil where the payload states none.
  public var identifier: String?

  /// Whether a part of the payload is simulated. Other payloads are listed and change nothing.
  public var isSimulated: Bool { type == Self.restrictions }

  static let restrictions = "com.apple.applicationaccess"
}
