internal import Cryptography
internal import Encodings
internal import Output

/// A configuration profile (`.mobileconfig`), reduced to the values that Sluice uses. The file can be XML or binary,
/// signed or unsigned.
///
/// Source: Apple Device Management, TopLevel and Restrictions.
package struct ConfigurationProfile: Sendable, Equatable {
  /// `PayloadIdentifier`; nil if absent.
  package var identifier: String?
  /// `PayloadDisplayName`; nil if absent.
  package var displayName: String?
  /// The combined restrictions of all `com.apple.applicationaccess` payloads.
  package var restrictions: Restrictions
  /// All payloads, in the profile's order.
  package var payloads: [ProfilePayload]
  /// The signature; nil for an unsigned profile.
  package var signature: ProfileSignature?
  /// The warnings about a profile that remains usable: `file:line: warning: …`.
  package var warnings: [String]

  /// Reads a profile.
  ///
  /// - Parameter bytes: A profile, or a single payload of the type `com.apple.applicationaccess`.
  /// - Throws: ``BundleError`` if `bytes` are neither, or if a restriction is not a Boolean. Also throws if the profile
  ///   is encrypted, changed after signing, or detached from its signature.
  package init(_ bytes: [UInt8], file: String) throws(BundleError) {
    switch CryptographicMessage(bytes) {
    case nil:
      self = try ProfileReader.profile(in: bytes, file: file, envelope: .none)
    case .signed(let content, let signature):
      guard signature.state != .broken else {
        throw BundleError(file: file, message: signature.warning)
      }
      self = try ProfileReader.profile(in: content, file: file, envelope: .signature(signature))
    case .signedWithoutContent:
      let form = bytes.first == 0x30 ? "DER" : "PEM"
      throw BundleError(
        file: file,
        message: "the profile is signed, and its content is damaged or detached; `openssl smime "
          + "-inform \(form) -verify -noverify -in \(file.quotedForShell) -out plain.mobileconfig` removes a "
          + "signature")
    case .encrypted:
      throw BundleError(file: file, message: ProfileReader.encrypted)
    }
  }

  init(
    identifier: String?, displayName: String?, restrictions: Restrictions,
    payloads: [ProfilePayload], signature: ProfileSignature?, warnings: [String]
  ) {
    self.identifier = identifier
    self.displayName = displayName
    self.restrictions = restrictions
    self.payloads = payloads
    self.signature = signature
    self.warnings = warnings
  }
}

package struct ProfilePayload: Sendable, Hashable {
  /// `PayloadType`.
  package var type: String
  /// `PayloadIdentifier`; nil if absent.
  package var identifier: String?

  /// Whether the payload is at least partly simulated. Other payloads are listed but have no effect.
  package var isSimulated: Bool { type == Self.restrictions }

  static let restrictions = "com.apple.applicationaccess"
}

// MARK: - Reader

private struct ProfileReader {
  enum Envelope: Equatable {
    case none
    case signature(ProfileSignature)

    var signature: ProfileSignature? {
      if case .signature(let signature) = self { signature } else { nil }
    }
  }

  static let encrypted =
    "the profile is encrypted for a device; export it from the MDM without encryption"

  private let list: PropertyList
  private let envelope: Envelope
  private var restrictions = Restrictions()
  private var payloads: [ProfilePayload] = []
  /// Whether a restriction is in a payload of a type other than `com.apple.applicationaccess`, where iOS ignores it.
  private var hasMisplaced = false
  private var warnings: [(line: Int?, text: String)] = []
  /// The restrictions in the profile that are not simulated and do not affect decisions.
  private var unsimulated: [String] = []
  /// The number of unknown keys compared with the known keys.
  private var comparisons = 0

  private static let maximumComparisons = 1_000

  private init(_ list: PropertyList, envelope: Envelope) {
    self.list = list
    self.envelope = envelope
    if let signature = envelope.signature { warn(signature.warning) }
    for finding in list.findings {
      report(
        .warning, finding.message, atLine: envelope == .none ? finding.position?.line : nil)
    }
  }

  /// Reads a profile.
  ///
  /// - Parameter bytes: The property list. If the profile is signed, this is the content of the signed message.
  static func profile(
    in bytes: [UInt8], file: String, envelope: Envelope
  ) throws(BundleError) -> ConfigurationProfile {
    var reader = ProfileReader(
      try list(of: bytes, file: file, envelope: envelope), envelope: envelope)
    let list = reader.list.dictionary
    try reader.readRoot(list)
    return ConfigurationProfile(
      identifier: try reader.string("PayloadIdentifier", of: list, at: []),
      displayName: try reader.string("PayloadDisplayName", of: list, at: []),
      restrictions: reader.restrictions, payloads: reader.payloads,
      signature: envelope.signature, warnings: reader.sortedWarnings)
  }

  /// Parses the property list. If the profile is signed, errors omit the line number, because lines of the list do not
  /// match lines of the file.
  private static func list(
    of bytes: [UInt8], file: String, envelope: Envelope
  ) throws(BundleError) -> PropertyList {
    do throws(BundleError) {
      return try PropertyList(bytes, file: file)
    } catch {
      throw envelope == .none ? error : BundleError(file: file, message: error.message)
    }
  }

  private mutating func readRoot(_ list: PropertyListDictionary) throws(BundleError) {
    if list["EncryptedPayloadContent"] != nil {
      throw error(Self.encrypted, at: ["EncryptedPayloadContent"])
    }
    switch try string("PayloadType", of: list, at: []) {
    case "Configuration":
      try readPayloads(of: list)
    case ProfilePayload.restrictions:
      payloads.append(try listed(ProfilePayload.restrictions, in: list, at: []))
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

  private mutating func readPayloads(of list: PropertyListDictionary) throws(BundleError) {
    let path: ListPath = ["PayloadContent"]
    guard let content = list["PayloadContent"] else {
      throw error("`PayloadContent` is missing", at: [])
    }
    guard let payloads = content.array else {
      throw error("`PayloadContent` must be an array, found \(content.noun)", at: path)
    }
    var hasRestrictions = false
    for (index, payload) in payloads.enumerated() {
      let path = path + [.index(index)]
      guard let values = payload.dictionary else {
        throw error("a payload must be a dictionary, found \(payload.noun)", at: path)
      }
      guard let type = try string("PayloadType", of: values, at: path) else {
        throw error("`PayloadType` is missing in a payload", at: path)
      }
      self.payloads.append(try listed(type, in: values, at: path))
      guard type == ProfilePayload.restrictions else {
        warnOfRestrictions(in: values, of: type, at: path)
        continue
      }
      hasRestrictions = true
      try readRestrictions(values, at: path)
    }
    warnOfOthers()
    if hasRestrictions {
      warnUnlessRestricted()
    } else {
      let type = ProfilePayload.restrictions
      warn("the profile has no effect: it has no payload of type `\(type)`")
    }
  }

  /// Warns about restrictions in a payload of a type other than `com.apple.applicationaccess`. iOS ignores them there.
  private mutating func warnOfRestrictions(
    in payload: PropertyListDictionary, of type: String, at path: ListPath
  ) {
    for key in Restrictions.keys {
      // A key with Apple's default has no effect in any payload.
      guard case .boolean(key.stricter)? = payload[key.name]?.kind else { continue }
      hasMisplaced = true
      warn(
        "`\(key.name)` is in a payload of type `\(type)`; iOS reads it only in "
          + "`\(ProfilePayload.restrictions)`", at: path + [.key(key.name)])
    }
  }

  private mutating func warnOfOthers() {
    let others = payloads.filter { !$0.isSimulated }.map { payload in
      "`\(payload.type)`" + (payload.identifier.map { " (`\($0)`)" } ?? "")
    }
    if others.isEmpty { return }
    let names = others.joined(separator: ", ")
    record(
      others.count == 1
        ? "the payload \(names) is not simulated" : "the payloads \(names) are not simulated")
  }

  private func listed(
    _ type: String, in list: PropertyListDictionary, at path: ListPath
  ) throws(BundleError) -> ProfilePayload {
    let identifier = try string("PayloadIdentifier", of: list, at: path)
    return ProfilePayload(type: type, identifier: identifier)
  }

  private mutating func readRestrictions(
    _ payload: PropertyListDictionary, at path: ListPath
  ) throws(BundleError) {
    var stated = Restrictions()
    for key in Restrictions.keys {
      guard let value = payload[key.name] else { continue }
      let path = path + [.key(key.name)]
      guard case .boolean(let flag) = value.kind else {
        throw error("`\(key.name)` must be true or false, found \(value.noun)", at: path)
      }
      if let other = restrictions[keyPath: key.path], other != flag {
        warn(
          "`\(key.name)` is \(other) in one payload and \(flag) in another; the more restrictive "
            + "value, \(key.stricter), applies", at: path)
      }
      stated[keyPath: key.path] = flag
    }
    restrictions = restrictions.combined(with: stated)
    readOthers(payload, at: path)
  }

  /// Warns about restrictions that affect decisions but are not simulated, and about keys that Apple does not publish.
  /// Adds restrictions that do not affect decisions to ``unsimulated``, for a note. Skips restrictions with Apple's
  /// default value.
  private mutating func readOthers(_ payload: PropertyListDictionary, at path: ListPath) {
    let simulated = Set(Restrictions.keys.map(\.name))
    for entry in payload.entries
    where !simulated.contains(entry.key) && !entry.key.hasPrefix("Payload") {
      let path = path + [.key(entry.key)]
      switch UnsimulatedRestriction(entry.key) {
      case .bears(let subject):
        guard !UnsimulatedRestriction.isDefault(entry.value, of: entry.key) else { continue }
        warn("`\(entry.key)` is not simulated, but it affects \(subject)", at: path)
      case .bearsOnNothing:
        guard !UnsimulatedRestriction.isDefault(entry.value, of: entry.key),
          !unsimulated.contains(entry.key)
        else { continue }
        unsimulated.append(entry.key)
      case .unknown:
        // The count limits the cost: each unknown key is compared with two hundred known keys.
        comparisons += 1
        let hint =
          comparisons > Self.maximumComparisons
          ? "" : Suggestion.nearest(to: entry.key, among: UnsimulatedRestriction.published)
        warn("unknown restriction `\(entry.key)`" + hint, at: path)
      }
    }
  }

  private mutating func noteUnsimulated() {
    if unsimulated.isEmpty { return }
    let names = unsimulated.map { "`\($0)`" }.joined(separator: ", ")
    record(
      unsimulated.count == 1
        ? "the restriction \(names) is not simulated and has no effect"
        : "the restrictions \(names) are not simulated and have no effect")
  }

  private func string(
    _ key: String, of list: PropertyListDictionary, at path: ListPath
  ) throws(BundleError) -> String? {
    guard let value = list[key] else { return nil }
    guard let text = value.string else {
      throw error("`\(key)` must be a string, found \(value.noun)", at: path + [.key(key)])
    }
    return text
  }

  private mutating func warnUnlessRestricted() {
    noteUnsimulated()
    guard restrictions == Restrictions() else { return }
    let names = Restrictions.keys.map { "`\($0.name)`" }.joined(separator: ", ")
    let place = hasMisplaced ? " in `\(ProfilePayload.restrictions)`" : ""
    warn("the profile has no effect: it contains none of \(names)" + place)
  }

  private mutating func warn(_ message: String, at path: ListPath = []) {
    report(.warning, message, atLine: line(of: path))
  }

  private mutating func record(_ message: String) {
    report(.note, message, atLine: nil)
  }

  private mutating func report(_ severity: Severity, _ message: String, atLine line: Int?) {
    let place = list.file + (line.map { ":\($0)" } ?? "")
    let diagnostic = Diagnostic(.path(place), message, rule: "bundle", severity: severity)
    warnings.append((line, diagnostic.description))
  }

  /// The warnings, ordered by line; warnings about the whole file come last.
  private var sortedWarnings: [String] {
    warnings.enumerated().sorted { left, right in
      (left.element.line ?? .max, left.offset) < (right.element.line ?? .max, right.offset)
    }.map(\.element.text)
  }

  private func error(_ message: String, at path: ListPath) -> BundleError {
    BundleError(file: list.file, line: line(of: path), message: message)
  }

  /// Returns the line of the value at `path`. Nil for the root, and in a signed profile, whose lines do not match the
  /// file.
  private func line(of path: ListPath) -> Int? {
    guard !path.isEmpty, envelope == .none else { return nil }
    return list.position(of: path)?.line
  }
}
