import JSON

/// The values that need more than their JSON type.
extension PropertyReader {
  /// A value of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Choice where Choice.RawValue == String {
    let text = member.value.string ?? ""
    if let choice = Choice(rawValue: text) { return choice }
    throw unknownValue(text, of: member, among: Choice.allCases.map(\.rawValue))
  }

  func unknownValue(
    _ text: String, of member: JSONValue.Member, among known: [String]
  ) -> PolicyError {
    var message = "`\(text)` is no value of `\(member.name)`; expected \(Self.list(known))"
    if let meant = Suggestion.nearest(to: text, among: known) {
      message += ", did you mean `\(meant)`?"
    }
    return failure(.unknownValue, member.value.position, message)
  }

  private static func list(_ words: [String]) -> String {
    let quoted = words.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The schemes of `exemptedAppProtocols`: name and value pairs whose value lists schemes, separated by
  /// semicolons. Names have no meaning.
  mutating func schemes(_ value: JSONValue) throws(PolicyError) -> Set<String> {
    var schemes: Set<String> = []
    for pair in value.array ?? [] {
      guard let text = pair["value"], !text.isNull else { continue }
      guard let list = text.string else {
        throw failure(
          .wrongType, text.position, "`value` must be a string, found \(text.kindName)")
      }
      for part in list.split(separator: ";") {
        let scheme = scheme(JSONValue(.string(String(part)), at: text.position))
        if !scheme.isEmpty { schemes.insert(scheme) }
      }
    }
    return schemes
  }

  /// One scheme, lower case and without white space around it.
  mutating func scheme(_ value: JSONValue) -> String {
    let text = value.string ?? ""
    let trimmed = Self.trim(text)
    if trimmed.count != text.count {
      warn(.whiteSpace, value.position, "white space around the scheme `\(trimmed)` is ignored")
    }
    if !trimmed.isEmpty, !Self.isScheme(trimmed) {
      warn(.notAScheme, value.position, "`\(trimmed)` is no URL scheme and matches no URL")
    }
    return trimmed.lowercased()
  }

  static func trim(_ text: some StringProtocol) -> String {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// A letter, then letters, digits, `+`, `-` and `.` (RFC 3986, section 3.1).
  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}
