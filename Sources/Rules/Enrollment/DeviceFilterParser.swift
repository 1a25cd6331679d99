internal import Diagnostics
internal import Model

/// Parses the rule of a filter for devices.
///
/// Source: Microsoft Learn, "Manage rules for dynamic membership groups", the language of which filters share.
struct DeviceFilterParser {
  private let tokens: [DeviceFilterToken]
  private var index = 0
  private var depth = 0

  /// The maximum length of a rule, in characters.
  static let longest = 3072
  /// The maximum depth of nested brackets.
  static let deepest = 64

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

  /// Whether the token is the word; if so, moves past it.
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
    // The name of `physicalIds` in groups, and once in Learn's example of a filter.
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

  /// The values of a comparison, in lower case; nil for `null`.
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

/// The reason why a rule cannot be read.
struct DeviceFilterError: Error, Equatable {
  /// The offset of the fault in the rule, in Unicode scalars.
  var offset: Int
  var message: String

  init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}
