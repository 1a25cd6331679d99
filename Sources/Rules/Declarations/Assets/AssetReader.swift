internal import Cryptography
internal import JSON

/// Finds the data of an asset, checks it and reads it.
struct AssetReader {
  let folder: DeclarationFolder

  /// Reads an asset.
  ///
  /// - Parameters:
  ///   - declaration: An asset whose payload was checked.
  ///   - warnings: Gets the warnings about the asset's data.
  func asset(
    of declaration: Declaration, _ warnings: inout [PayloadChecker.Note]
  ) throws(AssetFault) -> Asset {
    let reference = declaration.payload["Reference"]
    let location = try AssetLocation(reference?["DataURL"]?.string ?? "", root: folder.root)
    guard let bytes = folder.files[location.path] else {
      throw AssetFault(.cannotBeDownloaded, "there is no file `\(location.path)` in the folder")
    }
    try verify(bytes, size: reference?["Size"]?.int, hash: reference?["Hash-SHA-256"]?.string)
    let type = reference?["ContentType"]?.string.map(Self.mediaType)
    try Self.verify(type, of: declaration.type)
    return Asset(
      identifier: declaration.identifier, revision: declaration.serverToken, path: location.path,
      contentType: type, content: try content(bytes, declaration.type, type, &warnings))
  }

  private func verify(_ bytes: [UInt8], size: Int?, hash: String?) throws(AssetFault) {
    if let size, size != bytes.count {
      throw AssetFault(.cannotBeVerified, "`Size` is \(size), the file has \(bytes.count) bytes")
    }
    // Apple: a hash beside a size of 0 says nothing.
    guard let hash, size != 0 else { return }
    let actual = Self.hexadecimal(sha256(bytes))
    guard hash.utf8.count == actual.utf8.count, hash.allSatisfy(\.isHexDigit) else {
      throw AssetFault(.cannotBeVerified, "`Hash-SHA-256` must be 64 hexadecimal digits")
    }
    guard hash.lowercased() == actual else {
      throw AssetFault(.cannotBeVerified, "`Hash-SHA-256` is not that of the file, \(actual)")
    }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The media type without parameters, in lower case: `text/xml` for `Text/XML; charset=utf-8`.
  private static func mediaType(_ text: String) -> String {
    let type = text.prefix { $0 != ";" }.lowercased()
    return String(type.filter { !$0.isWhitespace })
  }

  private static func verify(
    _ contentType: String?, of type: DeclarationType?
  ) throws(AssetFault) {
    guard let contentType, let type, let allowed = contentTypes(of: type) else { return }
    guard allowed.contains(contentType) else {
      let list = allowed.map { "`\($0)`" }.joined(separator: " or ")
      throw AssetFault(.cannotBeVerified, "`ContentType` must be \(list), found `\(contentType)`")
    }
  }

  /// The content types that an asset of the type may have; nil: any.
  private static func contentTypes(of type: DeclarationType) -> [String]? {
    switch type {
    case .passwordAsset, .identityAsset, .scepAsset, .acmeAsset: ["application/json"]
    case .certificateAsset: ["application/pkcs1", "application/pem"]
    case .dataAsset: nil
    // No assets.
    case .activation, .managedApp, .appSettings, .legacyProfile, .statusSubscriptions, .test,
      .properties, .organization, .serverCapabilities:
      nil
    }
  }

  private func content(
    _ bytes: [UInt8], _ type: DeclarationType?, _ contentType: String?,
    _ warnings: inout [PayloadChecker.Note]
  ) throws(AssetFault) -> AssetContent {
    switch type {
    case .passwordAsset:
      let json = try credential(bytes, PayloadSchema.password, &warnings)
      return .password(
        PasswordCredential(
          userName: Secret(json["UserName"]?.string ?? ""),
          password: json["Password"]?.string.map(Secret.init)))
    case .identityAsset:
      let json = try credential(bytes, PayloadSchema.identity, &warnings)
      return .identity(
        .pkcs12(
          Secret(json["Identity"]?.string.flatMap(PayloadChecker.bytes) ?? []),
          password: Secret(json["Password"]?.string ?? "")))
    case .scepAsset:
      let json = try credential(bytes, PayloadSchema.scep, &warnings)
      return .identity(.scep(SCEPEnrollment(json)))
    case .acmeAsset:
      let json = try credential(bytes, PayloadSchema.acme, &warnings)
      return .identity(.acme(try ACMEEnrollment(json)))
    case .certificateAsset: return .certificate(try CertificateFile.der(bytes, contentType))
    case .dataAsset, nil: return .data(Secret(bytes))
    // No assets: their data has no form of its own.
    case .activation, .managedApp, .appSettings, .legacyProfile, .statusSubscriptions, .test,
      .properties, .organization, .serverCapabilities:
      return .data(Secret(bytes))
    }
  }

  /// The JSON of a credential, checked against its keys.
  private func credential(
    _ bytes: [UInt8], _ keys: [PayloadKey], _ warnings: inout [PayloadChecker.Note]
  ) throws(AssetFault) -> JSONValue {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONReader.read(bytes)
    } catch {
      throw AssetFault(.cannotBeDeserialized, error.message, at: error.position)
    }
    var checker = PayloadChecker()
    checker.check(json, against: keys)
    if let error = checker.errors.first {
      throw AssetFault(.cannotBeDeserialized, error.message, at: error.position)
    }
    warnings += checker.warnings
    return json
  }
}
