package import Model
internal import Output

/// The devices that a conditional access policy includes or excludes.
///
/// Source: Microsoft Learn, "Conditional Access: Filter for devices".
package struct DeviceFilter: Sendable, Equatable {
  /// The effect of the filter on matching devices.
  package enum Mode: String, Sendable, CaseIterable {
    case include, exclude
  }

  package var mode: Mode
  /// Nil if the rule in the file cannot be read.
  package var rule: DeviceFilterRule?

  /// Whether the policy applies to the device; nil if unknown.
  package func admits(_ device: DirectoryDevice) -> Bool? {
    rule?.matches(device).map { $0 == (mode == .include) }
  }
}

package indirect enum DeviceFilterRule: Sendable, Equatable {
  /// `values` are in lower case; nil is `null`.
  case comparison(DirectoryAttribute, DeviceFilterOperator, values: [String]?)
  case not(DeviceFilterRule)
  case and(DeviceFilterRule, DeviceFilterRule)
  case or(DeviceFilterRule, DeviceFilterRule)

  /// Whether the device meets the condition; nil if that depends on unknown attributes.
  package func matches(_ device: DirectoryDevice) -> Bool? {
    switch self {
    case .comparison(let attribute, let `operator`, let values):
      Self.compare(attribute, `operator`, values, on: device)
    case .not(let rule): rule.matches(device).map { !$0 }
    case .and(let left, let right):
      switch (left.matches(device), right.matches(device)) {
      case (false?, _), (_, false?): false
      case (true?, true?): true
      case (nil, _), (_, nil): nil
      }
    case .or(let left, let right):
      switch (left.matches(device), right.matches(device)) {
      case (true?, _), (_, true?): true
      case (false?, false?): false
      case (nil, _), (_, nil): nil
      }
    }
  }

  private static func compare(
    _ attribute: DirectoryAttribute, _ operator: DeviceFilterOperator, _ values: [String]?,
    on device: DirectoryDevice
  ) -> Bool? {
    // "Policy behavior with filter for devices": comparisons with unavailable extension attributes are false,
    // even with a negative operator.
    if attribute.isExtension, device.isRegistered, !device.hasExtensionAttributes { return false }
    switch (device[attribute], values) {
    case (.unknown, _): return nil
    case (.null, nil): return !`operator`.isNegative
    case (.null, .some), (.strings, nil): return `operator`.isNegative
    case (.strings(let strings), .some(let values)):
      let isMet = strings.contains { string in
        values.contains { `operator`.holds(string.lowercased(), $0, of: attribute.kind) }
      }
      return isMet != `operator`.isNegative
    }
  }
}

package enum DeviceFilterOperator: String, Sendable, CaseIterable {
  case eq, ne, startsWith, notStartsWith, endsWith, notEndsWith, contains, notContains
  case `in`, notIn

  fileprivate var isNegative: Bool { self == .ne || rawValue.hasPrefix("not") }

  /// The operator as written in a rule: `-eq`.
  package var spelling: String { "-\(rawValue)" }

  /// Parses an operator's name, ignoring case, with or without its hyphen; nil if there is none.
  init?(_ word: String) {
    let name = word.hasPrefix("-") ? String(word.dropFirst()) : word
    guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { return nil }
    self = known
  }

  /// Returns the result of the comparison before ``isNegative`` is applied.
  fileprivate func holds(
    _ string: String, _ value: String, of kind: DirectoryAttribute.Kind
  ) -> Bool {
    switch self {
    case .eq, .ne, .in, .notIn: string == value
    case .startsWith, .notStartsWith: string.hasPrefix(value)
    case .endsWith, .notEndsWith: string.hasSuffix(value)
    case .contains, .notContains:
      kind == .collection ? string == value : value.isEmpty || string.contains(value)
    }
  }

  /// Returns the operators that attributes of a kind support.
  ///
  /// Operators for lists of words appeared in Learn's own examples and still occur in administrators' rules.
  fileprivate static func supported(by kind: DirectoryAttribute.Kind) -> [DeviceFilterOperator] {
    switch kind {
    case .identifier, .word: [.eq, .ne, .in, .notIn]
    case .collection: [.contains, .notContains]
    case .text: allCases
    }
  }
}

// MARK: - Device

/// The device as seen by Microsoft Entra's directory.
package struct DirectoryDevice: Sendable, Equatable {
  /// The directory's value of an attribute.
  package enum Value: Sendable, Equatable {
    /// The directory has no value.
    case null
    /// The directory has a value, but the scenario does not state it.
    case unknown
    /// A single string, or the strings of a collection.
    case strings([String])
  }

  package let isRegistered: Bool
  private let values: [DirectoryAttribute: [String]]

  /// Creates a device. The directory's entry overrides values from MDM and from the device itself.
  package init(
    _ entry: DirectoryEntry = DirectoryEntry(), isMDMEnrolled: Bool = false,
    osVersion: String = "", model: String = ""
  ) {
    isRegistered = entry.isRegistered ?? (isMDMEnrolled || !entry.attributes.isEmpty)
    guard isRegistered else {
      values = [:]
      return
    }
    var values: [DirectoryAttribute: [String]] = [
      .manufacturer: ["Apple"], .model: [model], .operatingSystem: ["iOS"],
      .operatingSystemVersion: [osVersion], .profileType: ["RegisteredDevice"],
      .trustType: ["Workplace"], .isCompliant: [isMDMEnrolled ? "True" : "False"],
    ]
    if isMDMEnrolled { values[.mdmAppId] = [Self.intune] }
    self.values = values.merging(entry.attributes) { $1 }
  }

  /// Intune's application id (Microsoft Learn, "Verify first-party Microsoft applications in sign-in
  /// reports").
  private static let intune = "0000000a-0000-0000-c000-000000000000"

  /// Returns the value of the attribute. All attributes of an unregistered device are null.
  package subscript(attribute: DirectoryAttribute) -> Value {
    if let strings = values[attribute] { return .strings(strings) }
    return isRegistered && Self.always.contains(attribute) ? .unknown : .null
  }

  /// The attributes that every registered device has.
  private static let always: Set<DirectoryAttribute> = [.deviceId, .displayName, .deviceOwnership]

  package var isCompliant: Bool { holds(.isCompliant, "true") }

  /// Whether extension attributes are available: the device is managed, compliant or hybrid joined.
  fileprivate var hasExtensionAttributes: Bool {
    holds(.mdmAppId, Self.intune) || isCompliant || holds(.trustType, "serverad")
  }

  private func holds(_ attribute: DirectoryAttribute, _ word: String) -> Bool {
    values[attribute]?.contains { $0.lowercased() == word } ?? false
  }
}

// MARK: - Parser

/// Parses the rule of a device filter.
///
/// Source: Microsoft Learn, "Manage rules for dynamic membership groups", which defines the same language.
struct DeviceFilterParser {
  private let tokens: [DeviceFilterToken]
  private var index = 0
  private var depth = 0

  /// The maximum length of a rule, in Unicode scalars.
  static let longest = 3072
  /// The maximum nesting depth of brackets and `-not`.
  private static let deepest = 64

  static func parse(_ text: String) throws(DeviceFilterError) -> DeviceFilterRule {
    let count = text.unicodeScalars.count
    guard count <= longest else {
      throw DeviceFilterError(
        0, "the rule has \(count) characters, and Microsoft Entra takes \(longest) at most")
    }
    var lexer = DeviceFilterLexer(text)
    var parser = Self(tokens: try lexer.tokens())
    let rule = try parser.alternatives()
    guard parser.token.kind == .end else {
      throw parser.unexpected("`-and`, `-or` or the end of the rule")
    }
    return rule
  }

  private init(tokens: [DeviceFilterToken]) { self.tokens = tokens }

  private var token: DeviceFilterToken { tokens[index] }

  /// If the current token is the word, consumes it and returns true.
  private mutating func takes(_ word: String) -> Bool {
    guard case .word(let text) = token.kind, [word, "-" + word].contains(text.lowercased()) else {
      return false
    }
    index += 1
    return true
  }

  private mutating func takes(symbol: Unicode.Scalar) -> Bool {
    guard token.kind == .symbol(symbol) else { return false }
    index += 1
    return true
  }

  // `-not` binds closest, then `-and`, then `-or`.
  private mutating func alternatives() throws(DeviceFilterError) -> DeviceFilterRule {
    var rule = try conjunction()
    while takes("or") { rule = .or(rule, try conjunction()) }
    return rule
  }

  private mutating func conjunction() throws(DeviceFilterError) -> DeviceFilterRule {
    var rule = try term()
    while takes("and") { rule = .and(rule, try term()) }
    return rule
  }

  private mutating func term() throws(DeviceFilterError) -> DeviceFilterRule {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw DeviceFilterError(token.offset, "the rule is nested more than \(Self.deepest) deep")
    }
    if takes("not") { return .not(try term()) }
    guard takes(symbol: "(") else { return try comparison() }
    let rule = try alternatives()
    guard takes(symbol: ")") else { throw unexpected("`)`, `-and` or `-or`") }
    return rule
  }

  private mutating func comparison() throws(DeviceFilterError) -> DeviceFilterRule {
    let attribute = try attribute()
    let place = token.offset
    guard case .word(let word) = token.kind, let `operator` = DeviceFilterOperator(word) else {
      throw unexpected("an operator such as `-eq`")
    }
    let supported = DeviceFilterOperator.supported(by: attribute.kind)
    guard supported.contains(`operator`) else {
      let known = supported.map { "`\($0.spelling)`" }.joined(separator: ", ")
      throw DeviceFilterError(
        place,
        "`\(`operator`.spelling)` does not go with `device.\(attribute.rawValue)`, which takes \(known)"
      )
    }
    index += 1
    return .comparison(attribute, `operator`, values: try values(for: `operator`))
  }

  private mutating func attribute() throws(DeviceFilterError) -> DirectoryAttribute {
    guard case .word(let word) = token.kind, word.lowercased().hasPrefix("device.") else {
      throw unexpected("a property such as `device.isCompliant`")
    }
    let name = word.dropFirst("device.".count).lowercased()
    // Groups use this name for `physicalIds`, and so did an example of a filter in Learn.
    let known = name == "devicephysicalids" ? "physicalids" : name
    guard
      let attribute = DirectoryAttribute.allCases.first(where: {
        $0.rawValue.lowercased() == known
      })
    else {
      let near = NearestWord.to(name, among: DirectoryAttribute.allCases.map(\.rawValue))
      let hint = Suggestion.text(near.map { "device.\($0)" })
      throw DeviceFilterError(token.offset, "filters know no property `\(word)`" + hint)
    }
    index += 1
    return attribute
  }

  /// Parses the values of a comparison, in lower case; nil for `null`.
  private mutating func values(
    for operator: DeviceFilterOperator
  ) throws(DeviceFilterError) -> [String]? {
    let isList = `operator` == .in || `operator` == .notIn
    if takes(symbol: "[") {
      guard isList else {
        index -= 1
        throw unexpected("one value, for lists are for `-in` and `-notIn`")
      }
      var values = [try value()]
      while takes(symbol: ",") { values.append(try value()) }
      guard takes(symbol: "]") else { throw unexpected("`,` or `]`") }
      return values
    }
    if case .word(let word) = token.kind, ["null", "$null"].contains(word.lowercased()) {
      guard [.eq, .ne].contains(`operator`) else {
        throw unexpected("a value, for `null` goes with `-eq` and `-ne`")
      }
      index += 1
      return nil
    }
    let value = try value()
    guard isList else { return [value] }
    return value.split(separator: ",").map { part in
      part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  private mutating func value() throws(DeviceFilterError) -> String {
    switch token.kind {
    case .string(let text):
      index += 1
      return text.lowercased()
    case .word(let word) where word.contains(where: "\u{201C}\u{201D}\u{2018}\u{2019}".contains):
      throw DeviceFilterError(
        token.offset, "`\(word)` has typographic quotation marks, where `\"` is needed")
    case .word(let word) where !word.hasPrefix("-"):
      index += 1
      return word.lowercased()
    case .word, .symbol, .end: throw unexpected("a value such as `\"Company\"`")
    }
  }

  private func unexpected(_ expected: String) -> DeviceFilterError {
    DeviceFilterError(token.offset, "expected \(expected), found \(token.found)")
  }
}

struct DeviceFilterError: Error, Equatable {
  /// The offset of the error in the rule, in Unicode scalars.
  var offset: Int
  var message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}

// MARK: - Tokens

private struct DeviceFilterToken: Equatable {
  enum Kind: Equatable {
    /// A property, an operator with its hyphen, or a value without quotation marks.
    case word(String)
    case string(String)
    case symbol(Unicode.Scalar)
    case end
  }

  var kind: Kind
  /// The offset in the rule, in Unicode scalars.
  var offset: Int

  /// The token as described in a message.
  var found: String {
    switch kind {
    case .word(let word): "`\(word)`"
    case .string(let text): "the string `\(text)`"
    case .symbol(let symbol): "`\(symbol)`"
    case .end: "the end of the rule"
    }
  }
}

private struct DeviceFilterLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  private static let symbols: Set<Unicode.Scalar> = ["(", ")", "[", "]", ","]
  private static let quotes: Set<Unicode.Scalar> = ["\"", "'"]

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Returns all tokens, followed by an end token.
  mutating func tokens() throws(DeviceFilterError) -> [DeviceFilterToken] {
    var tokens: [DeviceFilterToken] = []
    while true {
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
      let offset = index
      let kind = try kind()
      tokens.append(DeviceFilterToken(kind: kind, offset: offset))
      if kind == .end { return tokens }
    }
  }

  private mutating func kind() throws(DeviceFilterError) -> DeviceFilterToken.Kind {
    guard index < scalars.count else { return .end }
    let next = scalars[index]
    if Self.symbols.contains(next) {
      index += 1
      return .symbol(next)
    }
    return Self.quotes.contains(next) ? .string(try string(quote: next)) : .word(word())
  }

  private mutating func word() -> String {
    var word = String.UnicodeScalarView()
    while index < scalars.count, isInWord(scalars[index]) {
      // Learn's own examples have en dashes before operators.
      word.append(scalars[index] == "\u{2013}" ? "-" : scalars[index])
      index += 1
    }
    return String(word)
  }

  private func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !Self.symbols.contains(scalar)
      && !Self.quotes.contains(scalar)
  }

  /// Reads a string. A grave accent escapes a quotation mark.
  private mutating func string(
    quote: Unicode.Scalar
  ) throws(DeviceFilterError) -> String {
    let start = index
    var text = String.UnicodeScalarView()
    index += 1
    while index < scalars.count {
      var scalar = scalars[index]
      if scalar == quote {
        index += 1
        return String(text)
      }
      if scalar == "`", index + 1 < scalars.count, Self.quotes.contains(scalars[index + 1]) {
        index += 1
        scalar = scalars[index]
      }
      text.append(scalar)
      index += 1
    }
    throw DeviceFilterError(start, "the string that begins here has no end")
  }
}
