public import Model

/// The configuration that a guest's app now has for an account.
public struct ConfigurationNews: Sendable, Hashable, DeclaredMessage {
  /// The account's UPN.
  public var account: String
  /// The account's object id; `""` if there is none.
  public var objectID: String
  /// The configuration in the format of ``DeliveredConfiguration/json``.
  public var dictionaries: [UInt8]
  /// Whether the configuration is new for the running app. False in the welcome message, and if only the account's UPN
  /// has changed.
  public var isChange: Bool

  public init(
    account: String, objectID: String = "", dictionaries: [UInt8], isChange: Bool = false
  ) {
    self.account = account
    self.objectID = objectID
    self.dictionaries = dictionaries
    self.isChange = isChange
  }

  static var blank: ConfigurationNews { ConfigurationNews(account: "", dictionaries: []) }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &account)
    form.field(2, &objectID)
    form.field(3, &dictionaries)
    form.field(4, &isChange)
  }
}

/// A request from an app or extension for the configuration or a secret that its administrator provides, or a report on
/// decoding the configuration.
public enum ManagedAppRequest: Sendable, Equatable {
  /// The configuration as a property list.
  case configuration
  /// The configuration under the key `com.apple.configuration.managed` in the user defaults.
  case legacyConfiguration
  case identifiers(ManagedSecret)
  case secret(ManagedSecret, identifier: String)
  /// A signature over the bytes with the private key of the identity `identifier`.
  case sign(identifier: String, SignatureAlgorithm, [UInt8])
  case decoded
  /// Reports that the app failed to decode its configuration. The administrator gets the error.
  case decodingFailed(code: Int, message: String)

  /// The part of the configuration that the request asks for; nil for the reports `decoded` and `decodingFailed`.
  public var aspect: ManagedAspect? {
    switch self {
    case .configuration: .configuration
    case .legacyConfiguration: .legacyConfiguration
    case .identifiers(let kind), .secret(let kind, _): ManagedAspect(kind)
    case .sign: .identities
    case .decoded, .decodingFailed: nil
    }
  }

  package var operation: Operation {
    switch self {
    case .configuration: .managedConfiguration
    case .legacyConfiguration: .legacyManagedConfiguration
    case .identifiers: .managedIdentifiers
    case .secret(.password, _): .managedPassword
    case .secret(.certificate, _): .managedCertificate
    case .secret(.identity, _): .managedIdentity
    case .sign: .managedSignature
    case .decoded, .decodingFailed: .managedReport
    }
  }

  var items: ItemTreatment {
    switch self {
    case .identifiers: .listed
    case .configuration, .legacyConfiguration, .secret, .sign, .decoded, .decodingFailed: .reported
    }
  }
}

extension ManagedAppRequest: DeclaredMessage {
  static var blank: ManagedAppRequest { .configuration }

  private enum Kind: UInt32 {
    case configuration = 0
    case legacyConfiguration = 1
    case identifiers = 2
    case secret = 3
    case sign = 4
    case decoded = 5
    case decodingFailed = 6
  }

  /// Declares all fields. The value of `kind` determines which of the others have a meaning.
  mutating func declare(in form: inout MessageForm) throws(WireError) {
    var kind: Kind
    var (secret, algorithm) = (
      ManagedSecret.password, SignatureAlgorithm.ecdsaSignatureMessageX962SHA256
    )
    var (identifier, data, code, message) = ("", [UInt8](), 0, "")
    switch self {
    case .configuration: kind = .configuration
    case .legacyConfiguration: kind = .legacyConfiguration
    case .identifiers(let stated): (kind, secret) = (.identifiers, stated)
    case .secret(let stated, let name): (kind, secret, identifier) = (.secret, stated, name)
    case .sign(let name, let stated, let bytes):
      (kind, identifier, algorithm, data) = (.sign, name, stated, bytes)
    case .decoded: kind = .decoded
    case .decodingFailed(let number, let text):
      (kind, code, message) = (.decodingFailed, number, text)
    }
    try form.field(1, &kind)
    try form.field(2, &secret)
    form.field(3, &identifier)
    try form.field(4, &algorithm)
    form.field(5, &data)
    form.field(6, &code)
    form.field(7, &message)
    self =
      switch kind {
      case .configuration: .configuration
      case .legacyConfiguration: .legacyConfiguration
      case .identifiers: .identifiers(secret)
      case .secret: .secret(secret, identifier: identifier)
      case .sign: .sign(identifier: identifier, algorithm, data)
      case .decoded: .decoded
      case .decodingFailed: .decodingFailed(code: code, message: message)
      }
  }
}
