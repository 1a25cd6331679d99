internal import Bundle
internal import Host
internal import Model
internal import Scenario
internal import Secrets
internal import Wire

/// The steps of managed apps. Their requests and results depend on the identities (certificates with keys) on the
/// device.
extension Action.ManagedApp {
  /// Returns the guest's request to the device. A request for a signature has an algorithm that fits the identity's
  /// key.
  func request(on device: Device) -> ManagedAppRequest {
    switch question {
    case .configuration: .configuration
    case .legacyConfiguration: .legacyConfiguration
    case .identifiers(let kind): .identifiers(kind)
    case .secret(let kind, let identifier): .secret(kind, identifier: identifier)
    case .signature(let text, let identifier):
      .sign(
        identifier: identifier,
        device.management.signatureAlgorithm(ofIdentity: identifier, of: guest)
          ?? .ecdsaSignatureMessageX962SHA256,
        Array(text.utf8))
    case .report(let code, let message): .decodingFailed(code: code, message: message)
    }
  }

  /// Returns the guest's result in the form that expectations use; nil if it is empty or cannot be read.
  func received(_ found: [UInt8], on device: Device) -> String? {
    guard !found.isEmpty else { return nil }
    switch question {
    case .configuration, .legacyConfiguration:
      guard let list = try? PropertyList(found, file: "") else { return nil }
      guard let key else {
        return list.dictionary.entries.map(\.key).sorted().joined(separator: "\n")
      }
      let path = key.split(separator: ".").map { part in
        Int(part).map(ListStep.index) ?? .key(String(part))
      }
      return list.value(at: path)?.plainText
    case .secret(.certificate, _), .secret(.identity, _):
      return try? Certificate(der: found).subject
    case .signature(let text, let identifier):
      let isRight = device.management.verifies(
        found, of: Array(text.utf8), byIdentity: identifier, of: guest)
      return isRight ? "verified" : "not verified"
    case .identifiers, .secret(.password, _), .report:
      return String(decoding: found, as: UTF8.self)
    }
  }
}

extension PropertyListValue {
  /// The value as one line; nil for arrays, dictionaries, data and dates.
  fileprivate var plainText: String? {
    switch kind {
    case .string(let text): text
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .data, .date, .array, .dictionary: nil
    }
  }
}

extension AdministratorEvent {
  /// The event as a line, such as `com.contoso.landmarks 100: the collection has no landmarks`.
  var line: String { [app, "\(code): \(message)"].compactMap(\.self).joined(separator: " ") }
}
