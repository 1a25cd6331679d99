/// Takes a configuration profile out of its property list.
struct ProfileReader {
  enum Envelope {
    case none, signature
  }

  static let encrypted =
    "the profile is encrypted for a device; export it from the MDM without encryption"

  private static let restrictionsType = "com.apple.applicationaccess"

  private let bytes: [UInt8]
  private let file: String
  private let envelope: Envelope
  private var restrictions = Restrictions()
  private var warnings: [String] = []

  private init(_ bytes: [UInt8], file: String, envelope: Envelope) {
    self.bytes = bytes
    self.file = file
    self.envelope = envelope
    if envelope == .signature { warn("the profile's signature is not verified") }
  }

  /// - Parameter bytes: the property list, out of its signature.
  static func profile(
    in bytes: [UInt8], file: String, envelope: Envelope
  ) throws(BundleError) -> ConfigurationProfile {
    var reader = ProfileReader(bytes, file: file, envelope: envelope)
    let list = try PropertyList(bytes, file: file)
    try reader.readRoot(list)
    return ConfigurationProfile(
      identifier: try reader.string("PayloadIdentifier", of: list, at: []),
      displayName: try reader.string("PayloadDisplayName", of: list, at: []),
      restrictions: reader.restrictions, isSigned: envelope == .signature,
      warnings: reader.warnings)
  }

  private mutating func readRoot(_ list: PropertyList) throws(BundleError) {
    if list["EncryptedPayloadContent"] != nil {
      throw error(Self.encrypted, at: ["EncryptedPayloadContent"])
    }
    switch try string("PayloadType", of: list, at: []) {
    case "Configuration":
      try readPayloads(of: list)
    case Self.restrictionsType:
      try readRestrictions(list, at: [])
      warnUnlessRestricted()
    case nil:
      throw error("not a configuration profile: `PayloadType` is missing at the top", at: [])
    case let type?:
      throw error(
        "not a configuration profile: its `PayloadType` is `\(type)`, not `Configuration`",
        at: ["PayloadType"])
    }
  }

  private mutating func readPayloads(of list: PropertyList) throws(BundleError) {
    let path = ["PayloadContent"]
    guard let content = list["PayloadContent"] else {
      throw error("`PayloadContent` is missing", at: [])
    }
    guard case .array(let payloads) = content else {
      throw error("`PayloadContent` must be an array, found \(content.noun)", at: path)
    }
    var hasRestrictions = false
    for (index, payload) in payloads.enumerated() {
      let path = path + ["\(index)"]
      guard case .dictionary(let values) = payload else {
        throw error("a payload must be a dictionary, found \(payload.noun)", at: path)
      }
      guard let type = try string("PayloadType", of: values, at: path) else {
        throw error("`PayloadType` is missing in a payload", at: path)
      }
      guard type == Self.restrictionsType else { continue }
      hasRestrictions = true
      try readRestrictions(values, at: path)
    }
    if hasRestrictions {
      warnUnlessRestricted()
    } else {
      warn("the profile restricts nothing: it has no payload of type `\(Self.restrictionsType)`")
    }
  }

  private mutating func readRestrictions(
    _ payload: PropertyList, at path: [String]
  ) throws(BundleError) {
    var stated = Restrictions()
    for key in Restrictions.keys {
      guard let value = payload[key.name] else { continue }
      let path = path + [key.name]
      guard case .boolean(let flag) = value else {
        throw error("`\(key.name)` must be true or false, found \(value.noun)", at: path)
      }
      if let other = restrictions[keyPath: key.path], other != flag {
        warn(
          "`\(key.name)` is \(other) in one payload and \(flag) in another; the more restrictive "
            + "\(key.stricter) holds", at: path)
      }
      stated[keyPath: key.path] = flag
    }
    restrictions = restrictions.combined(with: stated)
  }

  private func string(
    _ key: String, of list: PropertyList, at path: [String]
  ) throws(BundleError) -> String? {
    switch list[key] {
    case nil: return nil
    case .string(let text)?: return text
    case let value?:
      throw error("`\(key)` must be a string, found \(value.noun)", at: path + [key])
    }
  }

  private mutating func warnUnlessRestricted() {
    guard restrictions == Restrictions() else { return }
    let names = Restrictions.keys.map { "`\($0.name)`" }.joined(separator: ", ")
    warn("the profile restricts nothing here: it states none of \(names)")
  }

  private mutating func warn(_ message: String, at path: [String] = []) {
    let place = line(of: path).map { "\(file):\($0)" } ?? file
    warnings.append("\(place): warning: \(message) [bundle]")
  }

  private func error(_ message: String, at path: [String]) -> BundleError {
    BundleError(file: file, line: line(of: path), message: message)
  }

  /// nil for the top, and inside a signature: lines there are not those of the file.
  private func line(of path: [String]) -> Int? {
    guard !path.isEmpty, envelope == .none else { return nil }
    return PropertyListLines.line(of: path, in: bytes)
  }
}
