/// Replaces the variables of one text.
struct VariableExpander {
  static let modifiers = [
    "rfc1034identifier", "c99extidentifier", "identifier", "lower", "upper", "default=",
  ]

  /// The maximum number of bytes made and of variables looked up for one text, together.
  static let limit = 64 << 10
  /// The maximum depth of variables in the names and values of others.
  static let maximumDepth = 32

  let settings: BuildSettings
  private(set) var unresolved: [UnresolvedVariable] = []
  /// The elements of ``unresolved``, as a set for lookup.
  private var told: Set<UnresolvedVariable> = []
  /// The number of nested names that are being composed of variables.
  private var nesting = 0
  /// The variables whose definitions are being expanded.
  private var pending: [String] = []
  /// The number of bytes made and of variables looked up.
  private var made = 0

  init(settings: BuildSettings) { self.settings = settings }

  mutating func expanding(_ text: String) -> String {
    var rest = Substring(text)
    var result = ""
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[dollar...]
      guard let bracket = Self.opening(of: rest) else {
        result += "$"
        rest = rest.dropFirst()
        continue
      }
      guard let end = Self.end(of: rest, bracket) else {
        unresolved.append(UnresolvedVariable(name: String(rest.prefix(40)), reason: .open))
        break
      }
      let whole = rest[..<rest.index(after: end)]
      let inside = whole.dropFirst(2).dropLast()
      result += value(String(inside)) ?? String(whole)
      rest = rest[whole.endIndex...]
    }
    return result + rest
  }

  private static func opening(of text: Substring) -> (open: Character, close: Character)? {
    switch text.dropFirst().first {
    case "(": ("(", ")")
    case "{": ("{", "}")
    default:  // open: any other character, or none
      nil
    }
  }

  /// The index of the bracket that closes the one after the dollar sign.
  private static func end(
    of text: Substring, _ bracket: (open: Character, close: Character)
  ) -> Substring.Index? {
    var depth = 0
    for index in text.indices {
      Effort.spend(1)
      if text[index] == bracket.open { depth += 1 }
      if text[index] == bracket.close {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// - Parameter reference: The reference: `NAME`, or `NAME:modifier:modifier`.
  /// - Returns: The value; nil where the reference stays as it is.
  private mutating func value(_ reference: String) -> String? {
    made += 1
    guard made <= Self.limit, pending.count < Self.maximumDepth else {
      let reason: UnresolvedVariable.Reason = made > Self.limit ? .tooLong : .tooDeep
      return fail(reference, pending.contains(reference) ? .circular : reason)
    }
    guard let inner = name(reference) else { return nil }
    let colon = inner.firstIndex(of: ":")
    let name = String(inner[..<(colon ?? inner.endIndex)])
    let modifiers = colon.map { inner[inner.index(after: $0)...] } ?? ""
    if name.isEmpty, modifiers.isEmpty { return "" }
    let other = modifiers.firstRange(of: "default=").map { String(modifiers[$0.upperBound...]) }
    guard let definition = settings.definition(of: name) ?? other else {
      return fail(name, .noValue)
    }
    guard !pending.contains(name) else { return fail(name, .circular) }
    pending.append(name)
    let failures = unresolved.count
    let plain = expanding(definition)
    pending.removeLast()
    // Of what it is made of nothing may be missing.
    if unresolved.count > failures, settings[name] == nil {
      for failure in unresolved[failures...] { told.remove(failure) }
      unresolved.removeSubrange(failures...)
      return fail(name, .noValue)
    }
    made += plain.utf8.count
    return applying(modifiers, to: plain, name: name)
  }

  /// The variable's name, which may be composed of variables itself.
  ///
  /// - Returns: nil where one of them cannot be replaced.
  private mutating func name(_ reference: String) -> String? {
    guard reference.contains("$") else { return reference }
    guard nesting < Self.maximumDepth else { return fail("\(reference.prefix(40))…", .tooDeep) }
    nesting += 1
    defer { nesting -= 1 }
    let failures = unresolved.count
    let name = expanding(reference)
    return unresolved.count == failures ? name : nil
  }

  private mutating func applying(
    _ modifiers: Substring, to plain: String, name: String
  ) -> String? {
    var text = plain
    for modifier in modifiers.split(separator: ":") {
      if modifier.hasPrefix("default=") { break }
      guard let changed = Self.applying(modifier, to: text) else {
        return fail(name, .unknownModifier(String(modifier)))
      }
      text = changed
    }
    return text
  }

  private static func applying(_ modifier: Substring, to text: String) -> String? {
    switch modifier {
    case "rfc1034identifier":
      return String(
        text.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "." ? $0 : "-" })
    case "c99extidentifier", "identifier":
      let name = String(text.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
      return name.first?.isNumber == true ? "_" + name.dropFirst() : name
    case "lower": return text.lowercased()
    case "upper": return text.uppercased()
    default:  // open: any other modifier
      return nil
    }
  }

  private mutating func fail(_ name: String, _ reason: UnresolvedVariable.Reason) -> String? {
    let failure = UnresolvedVariable(name: name, reason: reason)
    if told.insert(failure).inserted { unresolved.append(failure) }
    return nil
  }
}
