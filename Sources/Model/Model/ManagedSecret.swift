/// A kind of secret that an administrator provides for a managed app. Raw values are the wire's.
public enum ManagedSecret: UInt32, Sendable, CaseIterable {
  case password = 0
  case certificate = 1
  case identity = 2
}

/// What an administrator provides for a managed app, as far as it can change. Raw values are the wire's.
public enum ManagedAspect: UInt32, Sendable, CaseIterable {
  case configuration = 0
  /// The one of the user defaults, `com.apple.configuration.managed`.
  case legacyConfiguration = 1
  case passwords = 2
  case certificates = 3
  case identities = 4

  public init(_ secret: ManagedSecret) {
    self =
      switch secret {
      case .password: .passwords
      case .certificate: .certificates
      case .identity: .identities
      }
  }

  /// Its name in scripts and in the journal.
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
