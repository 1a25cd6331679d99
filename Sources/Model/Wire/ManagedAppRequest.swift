public import Model

/// A request of an app or extension about what its administrator provides.
public enum ManagedAppRequest: Sendable, Equatable {
  /// The configuration as a property list.
  case configuration
  /// The configuration in the user defaults, `com.apple.configuration.managed`.
  case legacyConfiguration
  case identifiers(ManagedSecret)
  case secret(ManagedSecret, identifier: String)
  /// A signature by the key of an identity.
  case sign(identifier: String, SignatureAlgorithm, [UInt8])
  /// The app has decoded its configuration.
  case decoded
  /// The app could not decode its configuration, and reports the reason to the administrator.
  case decodingFailed(code: Int, message: String)

  /// The aspect that the request is about; nil where it is a report.
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
