internal import Encodings
internal import Model
internal import Output
internal import Policy

/// The members of a request of `sluice decide`.
enum DecisionKey: String, CaseIterable {
  case id, channel, via, sender, receiver, owner, text, characters, url, knownManagedScheme
  case location, locationAccount, appAccount, externalPage, device
  case launch
}

/// The members of a request's `sender` and `receiver`.
enum PartyKey: String, CaseIterable {
  case app, containingApp, account, objectId, tenant, managed, policy, mixedView, multiIdentity
  case mdmManaged
  case enrolledUPN, linksSDK, sdkVersion, lacksRequiredAccount, screenCaptureControl, webViews
  case schemes, alwaysRestrictsSaving
}

/// The members of a request's `owner`, `locationAccount` and `appAccount`.
enum OwnerKey: String, CaseIterable {
  case account, objectId, tenant, managed, policy
}

/// The members of a request's `device`.
enum DeviceKey: String, CaseIterable {
  case mdmEnrolled, allowOpenFromManagedToUnmanaged, allowOpenFromUnmanagedToManaged
  case requireManagedPasteboard, allowManagedToWriteUnmanagedContacts
  case allowUnmanagedToReadManagedContacts, allowScreenShot, allowWritingTools, allowGenmoji
  case isFileEncryptionRequired
  case osVersion, model, jailbroken, threatLevel, pin, biometrics
}

/// The members of a request's `launch`. They include the members of a party.
enum LaunchKey: String, CaseIterable {
  case app, account, objectId, tenant, managed, policy, enrolledUPN, sdkVersion, appVersion
  case disabled, clockedOut, offlineFor, idleFor, currentPIN, pinAge, failedAttempts, offers
}

/// The members of a launch's `offers`.
enum OfferKey: String, CaseIterable {
  case pin, biometrics, credentials
}

/// A JSON object that contains only known members.
struct DecisionFields {
  private let value: JSONValue

  /// Checks the members of a JSON object.
  ///
  /// - Throws: ``JSONSyntaxError`` if `value` is not an object, repeats a member, or has a member that is not among
  ///   `keys`.
  init<Key: CaseIterable & RawRepresentable<String>>(
    _ value: JSONValue, keys: Key.Type
  ) throws(JSONSyntaxError) {
    guard let members = value.members else {
      throw JSONSyntaxError(
        position: value.position, message: "expected an object, found \(value.kindName)")
    }
    let known = keys.allCases.map(\.rawValue)
    var seen: Set<String> = []
    for member in members {
      guard known.contains(member.name) else {
        let hint = Suggestion.nearest(to: member.name, among: known)
        throw JSONSyntaxError(
          position: member.position, message: "unknown member `\(member.name)`\(hint)")
      }
      guard seen.insert(member.name).inserted else {
        throw JSONSyntaxError(
          position: member.position, message: "the member `\(member.name)` appears twice")
      }
    }
    self.value = value
  }

  /// Returns the request's id, as JSON; nil if the request has none.
  ///
  /// - Throws: ``JSONSyntaxError`` if the id is neither a string nor a number.
  func id() throws(JSONSyntaxError) -> [UInt8]? {
    try convert(DecisionKey.id, "a string or a number") { id in
      var writer = JSONWriter()
      switch id.kind {
      case .string(let text): writer.string(text)
      case .number(let spelling): writer.raw(spelling.utf8)
      case .null, .bool, .array, .object: return nil
      }
      return writer.bytes
    }
  }

  func value(_ key: DecisionKey) -> JSONValue? { member(key) }

  /// Checks that a request with the member `key` has no members outside `known`.
  ///
  /// - Throws: ``JSONSyntaxError`` if it has one, because the member is meaningless together with `key`.
  func refuseAll(but known: Set<DecisionKey>, beside key: DecisionKey) throws(JSONSyntaxError) {
    for other in DecisionKey.allCases where !known.contains(other) && member(other) != nil {
      throw mistake(other, "`\(other.rawValue)` cannot be combined with `\(key.rawValue)`")
    }
  }

  func value(_ key: LaunchKey) -> JSONValue? { member(key) }
  func value(_ key: PartyKey) -> JSONValue? { member(key) }

  private func member(_ key: some RawRepresentable<String>) -> JSONValue? {
    value[key.rawValue].flatMap { $0.isNull ? nil : $0 }
  }

  func required(_ key: DecisionKey) throws(JSONSyntaxError) -> JSONValue {
    guard let value = member(key) else { throw missing(key) }
    return value
  }

  func requiredString(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> String {
    guard let text = try string(key) else { throw missing(key) }
    return text
  }

  func string(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> String? {
    try convert(key, "a string", \.string)
  }

  func bool(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> Bool? {
    try convert(key, "a boolean", \.bool)
  }

  func int(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> Int? {
    try convert(key, "a whole number", \.int)
  }

  /// Returns a member's value, which must be one of several words; nil if there is no such member.
  func word<Word: CaseIterable & RawRepresentable<String>>(
    _ key: some RawRepresentable<String>
  ) throws(JSONSyntaxError) -> Word? {
    guard let text = try string(key) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw unknown(text, key, among: Word.allCases.map(\.rawValue))
    }
    return word
  }

  /// Returns the channel that a member contains, by any of its names; nil if there is no such
  /// member.
  func channel(_ key: DecisionKey) throws(JSONSyntaxError) -> Channel? {
    guard let text = try string(key) else { return nil }
    guard let channel = Channel(named: text) else {
      throw unknown(text, key, among: Channel.names)
    }
    return channel
  }

  /// Returns the URL schemes that a member contains, in lower case; empty if there is no such
  /// member.
  func schemes(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> Set<String> {
    let elements = try convert(key, "an array of URL schemes", \.array) ?? []
    var schemes: Set<String> = []
    for element in elements {
      guard let text = element.string, text.isURLScheme else {
        throw JSONSyntaxError(
          position: element.position,
          message: "`\(key.rawValue)` must list URL schemes without a colon, such as `skype`")
      }
      schemes.insert(text.lowercased())
    }
    return schemes
  }

  /// Returns the duration that a member contains, in seconds; nil if there is no such member. The
  /// maximum is ten years.
  func duration(
    _ key: some RawRepresentable<String>
  ) throws(JSONSyntaxError) -> Int? {
    guard let text = try string(key) else { return nil }
    guard let seconds = ISODuration.seconds(text, .graph), seconds <= 10 * 365 * 86_400 else {
      throw mistake(
        key, "`\(text)` is not a duration of at most ten years, such as `P90D` or `PT12H`")
    }
    return seconds
  }

  func version(_ key: some RawRepresentable<String>) throws(JSONSyntaxError) -> Version? {
    guard let text = try string(key) else { return nil }
    guard let version = Version(text) else {
      throw mistake(key, "`\(text)` is not a version; expected numbers with dots between")
    }
    return version
  }

  /// Returns the error for a text that is not a value of the member's enumeration.
  func unknown(
    _ text: String, _ key: some RawRepresentable<String>, among words: [String]
  ) -> JSONSyntaxError {
    let list = words.map { "`\($0)`" }.joined(separator: ", ")
    let hint = Suggestion.nearest(to: text, among: words)
    return mistake(
      key, "`\(text)` is not a value of `\(key.rawValue)`; expected one of \(list)\(hint)")
  }

  func missing(_ key: some RawRepresentable<String>) -> JSONSyntaxError {
    JSONSyntaxError(position: value.position, message: "the member `\(key.rawValue)` is missing")
  }

  func mistake(_ key: some RawRepresentable<String>, _ message: String) -> JSONSyntaxError {
    JSONSyntaxError(position: member(key)?.position ?? value.position, message: message)
  }

  private func convert<Value>(
    _ key: some RawRepresentable<String>, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(JSONSyntaxError) -> Value? {
    guard let member = member(key) else { return nil }
    guard let value = read(member) else {
      throw mistake(key, "`\(key.rawValue)` must be \(expected), found \(member.kindName)")
    }
    return value
  }
}
