internal import Cryptography
internal import Encodings
internal import Foundation

/// Finds, verifies and parses the data of an asset.
struct AssetReader {
  let folder: DeclarationFolder

  /// Reads the data of an asset from the folder, and verifies its size, hash and content type.
  ///
  /// - Parameters:
  ///   - declaration: The declaration of the asset. Its payload must have been checked.
  ///   - warnings: Receives the warnings about the asset's data.
  func asset(
    of declaration: Declaration, _ warnings: inout [PayloadChecker.Note]
  ) throws(AssetError) -> Asset {
    let reference = declaration.payload["Reference"]
    let location = try AssetLocation(reference?["DataURL"]?.string ?? "", root: folder.root)
    guard let bytes = folder.files[location.path] else {
      throw AssetError(.cannotBeDownloaded, "the folder has no file `\(location.path)`")
    }
    try verify(bytes, size: reference?["Size"]?.int, hash: reference?["Hash-SHA-256"]?.string)
    let type = reference?["ContentType"]?.string.map(Self.mediaType)
    try Self.verify(type, of: declaration.type)
    return Asset(
      identifier: declaration.identifier, revision: declaration.serverToken, path: location.path,
      contentType: type, content: try content(bytes, declaration.type, type, &warnings))
  }

  private func verify(_ bytes: [UInt8], size: Int?, hash: String?) throws(AssetError) {
    if let size, size != bytes.count {
      throw AssetError(
        .cannotBeVerified, "`Size` is \(size), but the file has \(bytes.count) bytes")
    }
    // According to Apple, a hash is ignored if the size is 0.
    guard let hash, size != 0 else { return }
    let actual = Hexadecimal.text(sha256(bytes))
    guard hash.utf8.count == actual.utf8.count, hash.allSatisfy(\.isHexDigit) else {
      throw AssetError(.cannotBeVerified, "`Hash-SHA-256` must be 64 hexadecimal digits")
    }
    guard hash.lowercased() == actual else {
      throw AssetError(
        .cannotBeVerified, "`Hash-SHA-256` does not match the file's hash, \(actual)")
    }
  }

  /// Returns the media type without parameters, in lower case: `text/xml` for `Text/XML; charset=utf-8`.
  private static func mediaType(_ text: String) -> String {
    let type = text.prefix { $0 != ";" }.lowercased()
    return String(type.filter { !$0.isWhitespace })
  }

  private static func verify(
    _ contentType: String?, of type: DeclarationType?
  ) throws(AssetError) {
    guard let contentType, let type, let allowed = contentTypes(of: type) else { return }
    guard allowed.contains(contentType) else {
      let list = allowed.map { "`\($0)`" }.joined(separator: " or ")
      throw AssetError(.cannotBeVerified, "`ContentType` must be \(list), found `\(contentType)`")
    }
  }

  /// Returns the content types that assets of this type may have; nil if any is valid.
  private static func contentTypes(of type: DeclarationType) -> [String]? {
    switch type {
    case .passwordAsset, .identityAsset, .scepAsset, .acmeAsset: ["application/json"]
    case .certificateAsset: ["application/pkcs1", "application/pem"]
    case .dataAsset: nil
    // These types are not assets.
    case .activation, .managedApp, .appSettings, .legacyProfile, .statusSubscriptions, .test,
      .properties, .organization, .serverCapabilities:
      nil
    }
  }

  private func content(
    _ bytes: [UInt8], _ type: DeclarationType?, _ contentType: String?,
    _ warnings: inout [PayloadChecker.Note]
  ) throws(AssetError) -> AssetContent {
    switch type {
    case .passwordAsset:
      let json = try credential(bytes, PayloadSchema.password, &warnings)
      return .password(
        PasswordCredential(
          userName: Redacted(json["UserName"]?.string ?? ""),
          password: json["Password"]?.string.map(Redacted.init)))
    case .identityAsset:
      let json = try credential(bytes, PayloadSchema.identity, &warnings)
      return .identity(
        .pkcs12(
          Redacted(json["Identity"]?.string.flatMap(PayloadChecker.bytes) ?? []),
          password: Redacted(json["Password"]?.string ?? "")))
    case .scepAsset:
      let json = try credential(bytes, PayloadSchema.scep, &warnings)
      return .identity(.scep(SCEPEnrollment(json)))
    case .acmeAsset:
      let json = try credential(bytes, PayloadSchema.acme, &warnings)
      return .identity(.acme(try ACMEEnrollment(json)))
    case .certificateAsset: return .certificate(try CertificateFile.der(bytes, contentType))
    case .dataAsset, nil: return .data(Redacted(bytes))
    // These types are not assets, so their data has no format.
    case .activation, .managedApp, .appSettings, .legacyProfile, .statusSubscriptions, .test,
      .properties, .organization, .serverCapabilities:
      return .data(Redacted(bytes))
    }
  }

  /// Parses the JSON of a credential and checks its keys.
  private func credential(
    _ bytes: [UInt8], _ keys: [PayloadKey], _ warnings: inout [PayloadChecker.Note]
  ) throws(AssetError) -> JSONValue {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONReader.read(bytes)
    } catch {
      throw AssetError(.cannotBeDeserialized, error.message, at: error.position)
    }
    var checker = PayloadChecker()
    checker.check(json, against: keys)
    if let error = checker.errors.first {
      throw AssetError(.cannotBeDeserialized, error.message, at: error.position)
    }
    warnings += checker.warnings
    return json
  }
}

// MARK: - Errors

struct AssetError: Error, Sendable, Equatable {
  /// The error codes for assets in status reports.
  enum Code: String, Sendable {
    case cannotBeDownloaded = "Error.AssetCannotBeDownloaded"
    case cannotBeVerified = "Error.AssetCannotBeVerified"
    case cannotBeDeserialized = "Error.AssetCannotBeDeserialized"
  }

  var code: Code
  /// The message, in lower case, without full stop. It never quotes the asset's data.
  var message: String
  /// The position in the asset's data; nil if the error has none.
  var place: Position?

  init(_ code: Code, _ message: String, at place: Position? = nil) {
    self.code = code
    self.message = message
    self.place = place
  }
}

// MARK: - Location

/// The location of an asset's data, which its `DataURL` states: a path in the folder of declarations.
struct AssetLocation: Sendable, Equatable {
  var path: String

  /// Resolves a `DataURL`.
  ///
  /// - Parameter root: The location of the folder of declarations on disk; nil for a folder in memory.
  /// - Throws: ``AssetError`` for other kinds of URL, and for a path outside of the folder.
  init(_ url: String, root: String?) throws(AssetError) {
    guard let colon = url.firstIndex(of: ":"), url[..<colon].isURLScheme else {
      path = try Self.normalized(url.removingPercentEncoding ?? url)
      return
    }
    let scheme = url[..<colon].lowercased()
    guard scheme == "file" else {
      throw AssetError(
        .cannotBeDownloaded,
        "`\(scheme):` is not fetched: put the file into the folder, and replace the URL by the file's path"
      )
    }
    guard let parsed = URL(string: url), parsed.host() ?? "" == "" else {
      throw AssetError(.cannotBeDownloaded, "a `file:` URL must name a file of this machine")
    }
    let file = parsed.standardizedFileURL.path
    guard let root, file.hasPrefix(root + "/") else {
      throw AssetError(.cannotBeDownloaded, "the file is not in the folder of declarations")
    }
    path = try Self.normalized(String(file.dropFirst(root.count + 1)))
  }

  private static func normalized(_ path: String) throws(AssetError) -> String {
    guard !path.isEmpty else { throw AssetError(.cannotBeDownloaded, "the path is empty") }
    guard !path.hasPrefix("/") else {
      throw AssetError(
        .cannotBeDownloaded,
        "the path must be relative to the folder; write an absolute path as a `file:` URL")
    }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else {
          throw AssetError(.cannotBeDownloaded, "the path leads out of the folder")
        }
      } else {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}

// MARK: - Certificates

/// Extracts the DER encoding of a certificate from a file in PEM or DER.
private enum CertificateFile {
  private static let begin = "-----BEGIN CERTIFICATE-----"
  private static let end = "-----END CERTIFICATE-----"

  /// Returns the DER encoding of the certificate. The certificate's fields are not parsed.
  ///
  /// - Parameter contentType: `application/pem`, `application/pkcs1` or nil.
  /// - Throws: ``AssetError`` if there is no certificate or more than one, or if its form does not match `contentType`.
  static func der(_ bytes: [UInt8], _ contentType: String?) throws(AssetError) -> [UInt8] {
    let isText = bytes.starts(with: "-----BEGIN ".utf8) || bytes.contains(Array(begin.utf8))
    switch contentType {
    case "application/pem" where !isText:
      throw AssetError(.cannotBeVerified, "`ContentType` states PEM, but the file is not PEM")
    case "application/pkcs1" where isText:
      throw AssetError(.cannotBeVerified, "`ContentType` states DER, but the file is PEM")
    default:  // open: any other content type, or none
      break
    }
    let der = isText ? try fromText(bytes) : bytes
    guard isSequence(der) else {
      throw AssetError(.cannotBeDeserialized, "the file is not a certificate in PEM or DER")
    }
    return der
  }

  private static func fromText(_ bytes: [UInt8]) throws(AssetError) -> [UInt8] {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    let begins = lines.indices.filter { lines[$0] == begin }
    guard let first = begins.first else {
      throw AssetError(.cannotBeDeserialized, "the file has no certificate")
    }
    guard begins.count == 1 else {
      throw AssetError(
        .cannotBeDeserialized, "the file has \(begins.count) certificates; it must have exactly one"
      )
    }
    let rest = lines[(first + 1)...]
    guard let last = rest.firstIndex(where: { $0 == end }),
      let der = Data(base64Encoded: rest[..<last].joined())
    else { throw AssetError(.cannotBeDeserialized, "the certificate is truncated or damaged") }
    return Array(der)
  }

  /// Returns whether `bytes` are a single DER sequence without trailing bytes.
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    guard bytes[1] > 0x80 else { return bytes.count == 2 + Int(bytes[1]) }
    let size = Int(bytes[1] & 0x7F)
    guard (1...4).contains(size), bytes.count >= 2 + size else { return false }
    return bytes.count == 2 + size + bytes[2..<2 + size].reduce(0) { $0 << 8 | Int($1) }
  }
}
