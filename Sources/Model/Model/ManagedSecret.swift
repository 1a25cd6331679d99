/// A kind of secret that an administrator provides for a managed app. Raw values are the wire's.
public enum ManagedSecret: UInt32, Sendable, CaseIterable {
  case password = 0
  case certificate = 1
  case identity = 2
}

/// A part of an administrator's provisions for a managed app that changes by itself. Raw values are the wire's.
public enum ManagedAspect: UInt32, Sendable, CaseIterable {
  case configuration = 0
  /// The configuration in the user defaults, `com.apple.configuration.managed`.
  case legacyConfiguration = 1
  case passwords = 2
  case certificates = 3
  case identities = 4

  /// The aspect that a kind of secret belongs to.
  public init(_ secret: ManagedSecret) {
    self =
      switch secret {
      case .password: .passwords
      case .certificate: .certificates
      case .identity: .identities
      }
  }

  /// The aspect's name in scripts and in the journal.
  public var name: String {
    switch self {
    case .configuration: "configuration"
    case .legacyConfiguration: "legacyConfiguration"
    case .passwords: "passwords"
    case .certificates: "certificates"
    case .identities: "identities"
    }
  }
}
