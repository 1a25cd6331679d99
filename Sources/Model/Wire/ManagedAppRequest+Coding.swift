internal import CMessages
internal import CProtobufC
internal import Model

extension ManagedAppRequest {
  /// - Throws: ``WireError`` for a kind, secret or algorithm that this version does not know.
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
