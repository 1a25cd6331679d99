internal import Diagnostics

/// Reads the values of a dictionary rule as `NSNumber` and `NSString` convert them, and warns of values that
/// are not of the expected type.
struct DictionaryRuleReader {
  private(set) var limits = DictionaryRule.Limits()
  private(set) var warnings: [DictionaryRule.Warning] = []
  private(set) var hasUnknownKey = false
  /// The number of letters and words that were compared with the known keys.
  private var comparisons = 0

  private static let keys = Vocabulary(DictionaryRule.keys)

  mutating func read(_ entry: DictionaryRule.Entry) {
    let key = entry.key
    switch key {
    case DictionaryRule.mostKey: limits.mostAttachments = supported(count(entry), key)
    case DictionaryRule.leastKey:
      let least = count(entry)
      limits.leastAttachments = least > 0 ? least : nil
    case DictionaryRule.strictKey: limits.isStrict = flag(entry)
    case DictionaryRule.versionKey: limits.version = version(entry)
    case AttachmentKind.text.key:
      limits.namesKind = true
      limits.maxima[.text] = flag(entry) ? Int.max : nil
    default:  // open: the keys of the other kinds, and unknown keys
      guard let kind = AttachmentKind.allCases.first(where: { $0.key == key }) else {
        return warnOfUnknown(entry)
      }
      limits.namesKind = true
      limits.maxima[kind] = supported(count(entry), key)
    }
  }

  mutating func finish() {
    limits.settle()
    if limits.maxima.isEmpty, !limits.supportsAnything {
      warn(nil, "the rule supports nothing, so the extension is never offered")
    } else if let least = limits.leastAttachments, let most = limits.mostAttachments,
      least > most
    {
      warn(
        DictionaryRule.leastKey,
        "at least \(least) and at most \(most) attachments, so the extension is never offered")
    }
  }

  private mutating func warn(_ key: String?, _ message: String) {
    warnings.append(DictionaryRule.Warning(key: key, message: message))
  }

  private mutating func warnOfUnknown(_ entry: DictionaryRule.Entry) {
    hasUnknownKey = true
    var message = "`\(entry.key)` is no key of an activation rule and has no effect"
    if case .other(let noun) = entry.value { message += ", nor has what is in it, \(noun)" }
    message += Suggestion.text(Self.keys.nearest(to: entry.key, within: 3, &comparisons))
    warn(entry.key, message)
  }

  /// The maximum; nil where it supports nothing.
  private mutating func supported(_ maximum: Int, _ key: String) -> Int? {
    guard maximum > 0 else {
      warn(key, "`\(key)` is \(maximum), which supports nothing, as without the key")
      warnings[warnings.count - 1].isHarmless = maximum == 0
      return nil
    }
    return maximum
  }

  private mutating func count(_ entry: DictionaryRule.Entry) -> Int {
    let key = entry.key
    switch entry.value {
    case .integer(let count): return count
    case .boolean(let flag):
      warn(key, "`\(key)` is a boolean where a number is due, and counts as \(flag ? 1 : 0)")
      return flag ? 1 : 0
    case .string(let text):
      let count = Self.integer(text)
      warn(key, "`\(key)` is the string `\(text)` where a number is due, and counts as \(count)")
      return count
    case .other(let noun):
      warn(key, "`\(key)` is \(noun) where a number is due, and counts as 0")
      return 0
    }
  }

  private mutating func flag(_ entry: DictionaryRule.Entry) -> Bool {
    let key = entry.key
    switch entry.value {
    case .boolean(let flag): return flag
    // Apple's older documentation has numbers for these.
    case .integer(let number):
      if number != 0, number != 1 {
        warn(key, "`\(key)` is the number \(number) where a boolean is due, and counts as true")
      }
      return number != 0
    case .string(let text):
      let flag = Self.boolean(text)
      warn(key, "`\(key)` is the string `\(text)` where a boolean is due, and counts as \(flag)")
      return flag
    case .other(let noun):
      warn(key, "`\(key)` is \(noun) where a boolean is due, and counts as false")
      return false
    }
  }

  private mutating func version(_ entry: DictionaryRule.Entry) -> Int {
    let version = count(entry)
    if version != 1, version != 2 {
      warn(
        entry.key,
        "`\(entry.key)` is \(version), which counts as \(version < 2 ? 1 : 2); there are 1 and 2")
    }
    return version < 2 ? 1 : 2
  }

  /// The number that `-[NSString integerValue]` gives: white space, a sign, digits; 0 without digits.
  private static func integer(_ text: String) -> Int {
    var rest = text.drop(while: \.isWhitespace)
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if digits.isEmpty { return 0 }
    let number = Int(digits) ?? Int.max
    return isNegative ? -number : number
  }

  /// The flag that `-[NSString boolValue]` gives: true where white space, a sign and zeros precede `Y`, `T` or a digit.
  private static func boolean(_ text: String) -> Bool {
    var rest = text.drop(while: \.isWhitespace)
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    rest = rest.drop { $0 == "0" }
    return rest.first.map { "YyTt123456789".contains($0) } ?? false
  }
}
