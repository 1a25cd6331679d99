internal import CMessages
internal import CProtobufC
internal import JSON
public import Model

/// The current configuration of a guest's app for one account.
public struct ConfigurationNews: Sendable, Hashable {
  /// The account's UPN.
  public var account: String
  /// The account's object id; `""` if there is none.
  public var objectID: String
  /// The configuration in the form of ``DeliveredConfiguration/json``.
  public var dictionaries: [UInt8]
  /// Whether the configuration changed while the app is running.
  public var isChange: Bool

  /// Creates the configuration of `account`.
  public init(
    account: String, objectID: String = "", dictionaries: [UInt8], isChange: Bool = false
  ) {
    self.account = account
    self.objectID = objectID
    self.dictionaries = dictionaries
    self.isChange = isChange
  }
}

/// A request of an app or extension about its administrator's configuration.
public enum ManagedAppRequest: Sendable, Equatable {
  /// The configuration as a property list.
  case configuration
  /// The configuration in the user defaults, `com.apple.configuration.managed`.
  case legacyConfiguration
  case identifiers(ManagedSecret)
  case secret(ManagedSecret, identifier: String)
  /// A signature with the key of an identity.
  case sign(identifier: String, SignatureAlgorithm, [UInt8])
  /// The app decoded its configuration.
  case decoded
  /// The app failed to decode its configuration, and reports the error to the administrator.
  case decodingFailed(code: Int, message: String)

  /// The requested aspect; nil for a report.
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

// MARK: - Coding

extension Arena {
  func configuration(
    _ news: ConfigurationNews
  ) -> UnsafeMutablePointer<Sluice__AppConfiguration> {
    message(sluice__app_configuration__init) {
      $0.account = string(news.account)
      $0.object_id = string(news.objectID)
      $0.dictionaries = bytes(news.dictionaries)
      $0.changed = news.isChange ? 1 : 0
    }
  }

}

extension ConfigurationNews {
  init(_ raw: Sluice__AppConfiguration) {
    self.init(
      account: cString(raw.account), objectID: cString(raw.object_id),
      dictionaries: byteArray(raw.dictionaries), isChange: raw.changed != 0)
  }
}

extension ManagedAppRequest {
  /// - Throws: ``WireError`` for an unknown kind, secret or algorithm.
  init(_ raw: Sluice__ManagedApp) throws(WireError) {
    guard let secret = ManagedSecret(rawValue: UInt32(raw.secret.rawValue)),
      let algorithm = SignatureAlgorithm(rawValue: UInt32(raw.algorithm.rawValue))
    else { throw .emptyMessage }
    switch raw.kind {
    case SLUICE__MANAGED_APP__KIND__KIND_CONFIGURATION: self = .configuration
    case SLUICE__MANAGED_APP__KIND__KIND_LEGACY_CONFIGURATION: self = .legacyConfiguration
    case SLUICE__MANAGED_APP__KIND__KIND_IDENTIFIERS: self = .identifiers(secret)
    case SLUICE__MANAGED_APP__KIND__KIND_SECRET:
      self = .secret(secret, identifier: cString(raw.identifier))
    case SLUICE__MANAGED_APP__KIND__KIND_SIGN:
      self = .sign(identifier: cString(raw.identifier), algorithm, byteArray(raw.data))
    case SLUICE__MANAGED_APP__KIND__KIND_DECODED: self = .decoded
    case SLUICE__MANAGED_APP__KIND__KIND_DECODING_FAILED:
      self = .decodingFailed(code: Int(raw.code), message: cString(raw.message))
    default: throw .emptyMessage  // open: a C enumeration; a kind of a newer version
    }
  }
}

extension Arena {
  func managedApp(_ request: ManagedAppRequest) -> UnsafeMutablePointer<Sluice__ManagedApp> {
    message(sluice__managed_app__init) { fill(&$0, request) }
  }

  private func fill(_ raw: inout Sluice__ManagedApp, _ request: ManagedAppRequest) {
    switch request {
    case .configuration: raw.kind = SLUICE__MANAGED_APP__KIND__KIND_CONFIGURATION
    case .legacyConfiguration: raw.kind = SLUICE__MANAGED_APP__KIND__KIND_LEGACY_CONFIGURATION
    case .identifiers(let secret):
      raw.kind = SLUICE__MANAGED_APP__KIND__KIND_IDENTIFIERS
      raw.secret = Sluice__ManagedSecret(rawValue: secret.rawValue)
    case .secret(let secret, let identifier):
      raw.kind = SLUICE__MANAGED_APP__KIND__KIND_SECRET
      raw.secret = Sluice__ManagedSecret(rawValue: secret.rawValue)
      raw.identifier = string(identifier)
    case .sign(let identifier, let algorithm, let data):
      raw.kind = SLUICE__MANAGED_APP__KIND__KIND_SIGN
      raw.identifier = string(identifier)
      raw.algorithm = Sluice__ManagedApp__Algorithm(rawValue: algorithm.rawValue)
      raw.data = bytes(data)
    case .decoded: raw.kind = SLUICE__MANAGED_APP__KIND__KIND_DECODED
    case .decodingFailed(let code, let message):
      raw.kind = SLUICE__MANAGED_APP__KIND__KIND_DECODING_FAILED
      raw.code = Int64(code)
      raw.message = string(message)
    }
  }
}
