internal import Model
internal import SluiceKit

/// Calls about what an administrator provides for the app.
extension ScriptWork {
  func useManagedApp() throws(ScriptMisuse) {
    let client = application.managedApp
    switch call {
    case .managedConfiguration: client.configuration { answer([.bytes(orNothing: $0)]) }
    case .legacyManagedConfiguration: client.legacyConfiguration { answer([.bytes(orNothing: $0)]) }
    case .managedPasswords: list(.password)
    case .managedCertificates: list(.certificate)
    case .managedIdentities: list(.identity)
    case .managedPassword:
      let identifier = try arguments.text(0)
      client.password(withIdentifier: identifier) { answer($0) { .text($0) } }
    case .managedCertificate:
      let identifier = try arguments.text(0)
      client.certificate(withIdentifier: identifier) { answer($0) { .bytes($0) } }
    case .managedIdentity:
      let identifier = try arguments.text(0)
      client.identity(withIdentifier: identifier) {
        answer($0) { .list($0.map(ScriptValue.bytes)) }
      }
    case .managedSign: try sign()
    default: try report()
    }
  }

  private func list(_ kind: ManagedSecret) {
    application.managedApp.identifiers(of: kind) {
      answer([.list($0.map { ScriptValue.text($0) })])
    }
  }

  private func sign() throws(ScriptMisuse) {
    let identifier = try arguments.text(0)
    let data = try arguments.bytes(1)
    var algorithm = SignatureAlgorithm.ecdsaSignatureMessageX962SHA256
    if let name = try arguments.text(orNothing: 2) {
      guard let known = SignatureAlgorithm.allCases.first(where: { "\($0)" == name }) else {
        let names = SignatureAlgorithm.allCases.map { "`\($0)`" }.joined(separator: ", ")
        throw ScriptMisuse("`\(call.rawValue)` knows no `\(name)`: \(names)")
      }
      algorithm = known
    }
    application.managedApp.sign(data, withIdentity: identifier, algorithm) {
      answer($0) { .bytes($0) }
    }
  }

  /// Reports an error in the configuration; without arguments, that the script accepts the configuration.
  private func report() throws(ScriptMisuse) {
    guard arguments[0] != .nothing else {
      application.managedApp.reportDecoded()
      return answer([])
    }
    application.managedApp.reportDecodingError(
      code: try arguments.integer(0), message: try arguments.text(1))
    answer([])
  }

  /// Answers with the value, or with nothing and the name of the error.
  private func answer<Value>(
    _ result: Result<Value, ManagedAppError>, _ value: (Value) -> ScriptValue
  ) {
    switch result {
    case .success(let found): answer([value(found)])
    case .failure(let error): answer([.nothing, .text("\(error)")])
    }
  }
}

extension ScriptValue {
  fileprivate static func bytes(orNothing bytes: [UInt8]?) -> ScriptValue {
    bytes.map(ScriptValue.bytes) ?? .nothing
  }
}
