/// The facts that Sluice reads from a configuration profile (`.mobileconfig`), XML or binary, signed or not.
///
/// Source: Apple Device Management, TopLevel and Restrictions.
public struct ConfigurationProfile: Sendable, Equatable {
  /// `PayloadIdentifier`; nil where the profile states none.
  public var identifier: String?
  /// `PayloadDisplayName`; nil where the profile states none.
  public var displayName: String?
  /// The combined restrictions of all payloads of the type `com.apple.applicationaccess`.
  public var restrictions: Restrictions
  /// All of its payloads, in the profile's order.
  public var payloads: [ProfilePayload]
  /// The signature that the profile came in; nil where it came in none.
  public var signature: ProfileSignature?
  /// The oddities of the profile that do not keep it from being used: `file:line: warning: …`.
  public var warnings: [String]

  /// Reads a configuration profile.
  ///
  /// - Parameter bytes: A profile, or a single payload of the type `com.apple.applicationaccess`.
  /// - Throws: ``BundleError`` for anything else, for an encrypted profile, for one whose content
  ///   is not in its signature or was changed after it was signed, and for a restriction that is
  ///   neither true nor false.
  public init(_ bytes: [UInt8], file: String) throws(BundleError) {
    switch CryptographicMessage(bytes) {
    case nil:
      self = try ProfileReader.profile(in: bytes, file: file, envelope: .none)
    case .signed(let content, let signature):
      guard signature.state != .broken else {
        throw BundleError(file: file, message: signature.warning)
      }
      self = try ProfileReader.profile(in: content, file: file, envelope: .signature(signature))
    case .signedWithoutContent:
      let form = bytes.first == 0x30 ? "DER" : "PEM"
      throw BundleError(
        file: file,
        message: "the profile is signed, and its content is damaged or kept apart; `openssl smime "
          + "-inform \(form) -verify -noverify -in \(file) -out plain.mobileconfig` takes off a "
          + "signature")
    case .encrypted:
      throw BundleError(file: file, message: ProfileReader.encrypted)
    }
  }

  /// Whether the profile came in a signature.
  public var isSigned: Bool { signature != nil }

  init(
    identifier: String?, displayName: String?, restrictions: Restrictions,
    payloads: [ProfilePayload], signature: ProfileSignature?, warnings: [String]
  ) {
    self.identifier = identifier
    self.displayName = displayName
    self.restrictions = restrictions
    self.payloads = payloads
    self.signature = signature
    self.warnings = warnings
  }
}
