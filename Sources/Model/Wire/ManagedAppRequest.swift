public import Model

/// What an app or extension asks of what its administrator provides.
public enum ManagedAppRequest: Sendable, Equatable {
  /// The property list.
  case configuration
  /// The one of the user defaults, `com.apple.configuration.managed`.
  case legacyConfiguration
  case identifiers(ManagedSecret)
  case secret(ManagedSecret, identifier: String)
  /// A signature by the key of an identity.
  case sign(identifier: String, SignatureAlgorithm, [UInt8])
  /// The app has decoded its configuration.
  case decoded
  /// It could not, and says why to the administrator.
  case decodingFailed(code: Int, message: String)

  /// What the request is about; nil where it is a report.
  public var aspect: ManagedAspect? {
    switch self {
    case .configuration: .configuration
    case .legacyConfiguration: .legacyConfiguration
    case .identifiers(let kind), .secret(let kind, _): ManagedAspect(kind)
    case .sign: .identities
    case .decoded, .decodingFailed: nil
    }
  }
}
