internal import Output

/// An activation rule in dictionary form.
///
/// In version 1, every attachment must be of a supported kind, and every item must have attachments. In version 2, at
/// least one attachment must be of a supported kind. In both versions, the attachments of an item must not exceed the
/// maximum for their kind, and their number must be within the rule's limits. A kind with a maximum of 0 is not
/// supported. A rule that limits the number of attachments but has no key for any attachment kind supports all types.
/// An empty list of items never matches.
package struct DictionaryRule: Sendable, Equatable {
  package let entries: [Entry]
  package let warnings: [Warning]
  let limits: Limits
  /// Whether the rule can be written as a predicate: it supports at least one kind of attachment and has no unknown
  /// key.
  let isExpressible: Bool

  package struct Entry: Sendable, Equatable {
    package var key: String
    package var value: Value

    package init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  package enum Value: Sendable, Equatable {
    case integer(Int)
    case boolean(Bool)
    case string(String)
    /// Any other value. The text is its noun in messages: `a dictionary`, `an array` or `data`.
    case other(String)
  }

  /// A warning about an entry of the dictionary, or about the whole rule.
  package struct Warning: Sendable, Equatable {
    /// The key of the entry that the warning is about; nil if it is about the whole rule.
    package var key: String?
    /// The message, in lower case, without full stop.
    package var message: String
    /// Whether the warning is only about a maximum of 0, the default, which templates contain.
    package var isHarmless = false
  }

  /// The meaning of the dictionary's entries.
  struct Limits: Sendable, Equatable {
    /// The maximum number of attachments of each supported kind in an item.
    var maxima: [AttachmentKind: Int] = [:]
    /// Whether the dictionary contains the key of an attachment kind, even if its value is 0 or false.
    var namesKind = false
    var mostAttachments: Int?
    var leastAttachments: Int?
    var isStrict = false
    var version = 1

    private(set) var supported: AttachmentKinds = []
    /// The supported kinds with their maxima, for matching. Text has no maximum, so its value is `Int.max`.
    private(set) var counted: [Count] = []

    struct Count: Sendable, Equatable {
      var kind: AttachmentKinds
      var maximum: Int
    }

    var matching: AttachmentKinds.Matching { isStrict ? .strict : .fuzzy }

    mutating func derive() {
      for kind in AttachmentKind.allCases {
        guard let maximum = maxima[kind] else { continue }
        supported.insert(AttachmentKinds(kind))
        counted.append(Count(kind: AttachmentKinds(kind), maximum: maximum))
      }
    }

    /// Whether the rule supports all types, because it limits the number of attachments but has no key for any
    /// attachment kind.
    var supportsAnything: Bool {
      !namesKind && (mostAttachments != nil || leastAttachments != nil)
    }
  }

  /// Creates a rule from the entries of its dictionary.
  ///
  /// - Parameter entries: The entries in source order. If a key occurs twice, the last entry applies.
  package init(values entries: [Entry]) {
    self.entries = entries
    var reader = DictionaryRuleReader()
    for entry in entries { reader.read(entry) }
    reader.finish()
    limits = reader.limits
    isExpressible = !reader.hasUnknownKey && (limits.supportsAnything || !limits.maxima.isEmpty)
    warnings = reader.warnings
  }

  /// The keys of an activation rule's dictionary. Outside of this dictionary, directly in `NSExtensionAttributes`, they
  /// have no effect.
  package static let keys =
    AttachmentKind.allCases.map(\.key) + [mostKey, leastKey, strictKey, versionKey]

  static let mostKey = "NSExtensionActivationSupportsAttachmentsWithMaxCount"
  static let leastKey = "NSExtensionActivationSupportsAttachmentsWithMinCount"
  static let strictKey = "NSExtensionActivationUsesStrictMatching"
  static let versionKey = "NSExtensionActivationDictionaryVersion"
}

// MARK: - Reading

/// A reader of the dictionary's entries. It converts values as `NSNumber` and `NSString` do, and adds a warning for a
/// value of an unexpected type.
private struct DictionaryRuleReader {
  private(set) var limits = DictionaryRule.Limits()
  private(set) var warnings: [DictionaryRule.Warning] = []
  private(set) var hasUnknownKey = false
  /// The number of words and characters compared so far to suggest known keys for unknown ones. It is limited.
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
    limits.derive()
    if limits.maxima.isEmpty, !limits.supportsAnything {
      warn(nil, "the rule supports no items, so the extension is never offered")
    } else if let least = limits.leastAttachments, let most = limits.mostAttachments,
      least > most
    {
      warn(
        DictionaryRule.leastKey,
        "the rule needs at least \(least) and at most \(most) attachments, so it never matches")
    }
  }

  private mutating func warn(_ key: String?, _ message: String) {
    warnings.append(DictionaryRule.Warning(key: key, message: message))
  }

  private mutating func warnOfUnknown(_ entry: DictionaryRule.Entry) {
    hasUnknownKey = true
    var message = "`\(entry.key)` is not a key of an activation rule and has no effect"
    if case .other(let noun) = entry.value { message += "; its content, \(noun), is ignored" }
    message += Suggestion.text(Self.keys.nearest(to: entry.key, within: 3, &comparisons))
    warn(entry.key, message)
  }

  /// Returns `maximum` if it is positive. Otherwise, adds a warning and returns nil, which has the effect of a missing
  /// key.
  private mutating func supported(_ maximum: Int, _ key: String) -> Int? {
    guard maximum > 0 else {
      warn(key, "`\(key)` is \(maximum), which supports no items, as if the key were missing")
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
      warn(key, "`\(key)` is a boolean instead of a number, and counts as \(flag ? 1 : 0)")
      return flag ? 1 : 0
    case .string(let text):
      let count = Self.integer(text)
      warn(key, "`\(key)` is the string `\(text)` instead of a number, and counts as \(count)")
      return count
    case .other(let noun):
      warn(key, "`\(key)` is \(noun) instead of a number, and counts as 0")
      return 0
    }
  }

  private mutating func flag(_ entry: DictionaryRule.Entry) -> Bool {
    let key = entry.key
    switch entry.value {
    case .boolean(let flag): return flag
    // Apple's older documentation uses numbers here.
    case .integer(let number):
      if number != 0, number != 1 {
        warn(key, "`\(key)` is the number \(number) instead of a boolean, and counts as true")
      }
      return number != 0
    case .string(let text):
      let flag = Self.boolean(text)
      warn(key, "`\(key)` is the string `\(text)` instead of a boolean, and counts as \(flag)")
      return flag
    case .other(let noun):
      warn(key, "`\(key)` is \(noun) instead of a boolean, and counts as false")
      return false
    }
  }

  private mutating func version(_ entry: DictionaryRule.Entry) -> Int {
    let version = count(entry)
    if version != 1, version != 2 {
      warn(
        entry.key,
        "`\(entry.key)` is \(version), which counts as \(version < 2 ? 1 : 2); valid versions are 1 and 2"
      )
    }
    return version < 2 ? 1 : 2
  }

  /// Converts a text to an integer as `-[NSString integerValue]` does: optional white space, an optional sign, digits.
  /// Returns 0 if there are no digits.
  private static func integer(_ text: String) -> Int {
    var rest = text.drop(while: \.isWhitespace)
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest.removeFirst() }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if digits.isEmpty { return 0 }
    let number = Int(digits) ?? Int.max
    return isNegative ? -number : number
  }

  /// Converts a text to a Boolean as `-[NSString boolValue]` does. White space, a sign and zeros at the beginning are
  /// skipped. The result is true if `Y`, `T` or a digit from 1 to 9 follows.
  private static func boolean(_ text: String) -> Bool {
    var rest = text.drop(while: \.isWhitespace)
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    rest = rest.drop { $0 == "0" }
    return rest.first.map { "YyTt123456789".contains($0) } ?? false
  }
}

// MARK: - Matching

extension DictionaryRule {
  func matches(_ items: ResolvedItems) -> Bool {
    var supportsSome = false
    for item in items.items {
      guard item.count <= limits.mostAttachments ?? Int.max,
        item.count >= limits.leastAttachments ?? 0
      else { return false }
      if limits.version == 1, item.isEmpty { return false }
      var counts = SIMD8<Int32>()
      for attachment in item {
        let kinds = AttachmentKinds(
          of: items.attachments[attachment], items, matching: limits.matching)
        let isSupported = isSupported(kinds)
        if !isSupported, limits.version == 1 { return false }
        supportsSome = supportsSome || isSupported
        let counted = counted(kinds)
        for place in limits.counted.indices where counted.contains(limits.counted[place].kind) {
          counts[place] += 1
        }
      }
      for place in limits.counted.indices where Int(counts[place]) > limits.counted[place].maximum {
        return false
      }
    }
    return supportsSome
  }

  private func supportsEvery(_ items: ResolvedItems) -> Bool {
    items.items.allSatisfy { item in
      !item.isEmpty && item.allSatisfy { isSupported(items.attachments[$0], items) }
    }
  }

  private func supportsSome(_ items: ResolvedItems) -> Bool {
    items.attachments.contains { isSupported($0, items) }
  }

  private func isSupported(_ attachment: Range<Int>, _ items: ResolvedItems) -> Bool {
    isSupported(AttachmentKinds(of: attachment, items, matching: limits.matching))
  }

  private func isSupported(_ kinds: AttachmentKinds) -> Bool {
    limits.supportsAnything || !limits.supported.isDisjoint(with: kinds)
  }

  /// Returns the number of the item's attachments that count towards the maximum of `kind`.
  private func count(of kind: AttachmentKind, in item: Range<Int>, _ items: ResolvedItems) -> Int {
    item.reduce(0) { count, attachment in
      count + (isCounted(as: kind, items.attachments[attachment], items) ? 1 : 0)
    }
  }

  private func isCounted(
    as kind: AttachmentKind, _ attachment: Range<Int>, _ items: ResolvedItems
  ) -> Bool {
    counted(AttachmentKinds(of: attachment, items, matching: limits.matching)).contains(kind)
  }

  /// Returns `kinds`, the kinds of an attachment, but without `file` if the attachment also matches another supported
  /// kind. The attachment counts towards the maxima of the returned kinds.
  private func counted(_ kinds: AttachmentKinds) -> AttachmentKinds {
    let file = AttachmentKinds(.file)
    let others = limits.supported.intersection(kinds).subtracting(file)
    return others.isEmpty ? kinds : kinds.subtracting(file)
  }

  // MARK: Explanation

  func explain(_ items: ResolvedItems) -> ActivationExplanation {
    let holds = matches(items)
    var parts = [explainKinds(items)]
    parts += AttachmentKind.allCases.compactMap { explainMaximum(of: $0, items) }
    parts += explainNumbers(items)
    // If the rule fails, only the first part that fails decides; otherwise all parts decide.
    let first = parts.firstIndex { $0.verdict == .fails }
    for place in parts.indices where !holds && place != first { parts[place].undecide() }
    let matching = limits.isStrict ? ", strict matching" : ""
    return ActivationExplanation(
      text: "dictionary of version \(limits.version)\(matching)",
      verdict: ActivationExplanation.Verdict(holds),
      detail: items.items.isEmpty ? "nothing is shared" : nil, decides: true, parts: parts)
  }

  private func explainKinds(_ items: ResolvedItems) -> ActivationExplanation {
    let isEvery = limits.version == 1
    let nouns = AttachmentKind.allCases.filter { limits.maxima[$0] != nil }.map(\.noun)
    let names =
      limits.supportsAnything
      ? "anything" : nouns.isEmpty ? "nothing" : nouns.joined(separator: ", ")
    let holds = isEvery ? !items.items.isEmpty && supportsEvery(items) : supportsSome(items)
    let attachments = items.attachments.indices.map { place in
      let isSupported = isSupported(items.attachments[place], items)
      return ActivationExplanation(
        text: items.name(ofAttachment: place),
        verdict: ActivationExplanation.Verdict(isSupported),
        detail: kinds(of: items.attachments[place], items),
        decides: isEvery ? holds || !isSupported : !holds || isSupported)
    }
    return ActivationExplanation(
      text: "\(isEvery ? "every" : "some") attachment is supported: \(names)",
      verdict: ActivationExplanation.Verdict(holds), decides: true, parts: attachments)
  }

  /// Returns the names of the supported kinds to which the attachment belongs; nil if the rule supports all types.
  private func kinds(of attachment: Range<Int>, _ items: ResolvedItems) -> String? {
    if limits.supportsAnything { return nil }
    let kinds = AttachmentKind.allCases.filter { kind in
      limits.maxima[kind] != nil && isCounted(as: kind, attachment, items)
    }
    return kinds.isEmpty ? "of no such kind" : kinds.map(\.noun).joined(separator: ", ")
  }

  private func explainMaximum(
    of kind: AttachmentKind, _ items: ResolvedItems
  ) -> ActivationExplanation? {
    guard let maximum = limits.maxima[kind], maximum != Int.max else { return nil }
    let counts = items.items.map { count(of: kind, in: $0, items) }
    let most = counts.max() ?? 0
    return ActivationExplanation(
      text: "`\(kind.key)` is \(maximum)",
      verdict: ActivationExplanation.Verdict(most <= maximum), detail: "\(kind.noun): \(most)",
      decides: true)
  }

  private func explainNumbers(_ items: ResolvedItems) -> [ActivationExplanation] {
    let counts = items.items.map(\.count)
    let most = limits.mostAttachments.map { limit in
      ActivationExplanation(
        text: "`\(Self.mostKey)` is \(limit)",
        verdict: ActivationExplanation.Verdict(counts.allSatisfy { $0 <= limit }),
        detail: "attachments: \(counts.max() ?? 0)", decides: true)
    }
    let least = limits.leastAttachments.map { limit in
      ActivationExplanation(
        text: "`\(Self.leastKey)` is \(limit)",
        verdict: ActivationExplanation.Verdict(counts.allSatisfy { $0 >= limit }),
        detail: "attachments: \(counts.min() ?? 0)", decides: true)
    }
    return [most, least].compactMap { $0 }
  }
}

extension ActivationExplanation {
  fileprivate mutating func undecide() {
    decides = false
    for place in parts.indices { parts[place].undecide() }
  }
}

// MARK: - Predicate

extension DictionaryRule {
  /// The source text of a predicate with the same meaning.
  var predicateText: String {
    let kinds = AttachmentKind.allCases.filter { limits.maxima[$0] != nil }
    let supported =
      limits.supportsAnything
      ? "TRUEPREDICATE" : kinds.map(condition).joined(separator: " OR ")
    let conditions = limitConditions(kinds)
    if limits.version == 1 {
      let every = Self.attachments(supported) + " == $extensionItem.attachments.@count"
      let all = ["$extensionItem.attachments.@count > 0", every] + conditions
      return Self.items(all) + " == extensionItems.@count AND extensionItems.@count > 0"
    }
    let some = Self.items([Self.attachments(supported) + " > 0"]) + " > 0"
    return conditions.isEmpty
      ? some : Self.items(conditions) + " == extensionItems.@count AND\n" + some
  }

  private static func items(_ conditions: [String]) -> String {
    "SUBQUERY (\n  extensionItems,\n  $extensionItem,\n  "
      + conditions.joined(separator: " AND\n  ") + "\n).@count"
  }

  private static func attachments(_ condition: String) -> String {
    "SUBQUERY ($extensionItem.attachments, $attachment, \(condition)).@count"
  }

  private func limitConditions(_ kinds: [AttachmentKind]) -> [String] {
    var conditions: [String] = []
    for kind in kinds {
      guard let maximum = limits.maxima[kind], maximum != Int.max else { continue }
      var counted = condition(kind)
      let others = kinds.filter { $0 != .file }
      if kind == .file, !others.isEmpty {
        counted += " AND NOT (" + others.map(condition).joined(separator: " OR ") + ")"
      }
      conditions.append(Self.attachments(counted) + " <= \(maximum)")
    }
    if let most = limits.mostAttachments {
      conditions.append("$extensionItem.attachments.@count <= \(most)")
    }
    if let least = limits.leastAttachments {
      conditions.append("$extensionItem.attachments.@count >= \(least)")
    }
    return conditions
  }

  /// Returns the text of the condition that an attachment is of the kind. The text is in parentheses if it consists of
  /// several comparisons.
  private func condition(_ kind: AttachmentKind) -> String {
    let types = kind.types
    var accepted = any(of: types.accepted)
    if !types.refused.isEmpty {
      accepted = "(\(accepted) AND NOT \(any(of: types.refused)))"
    }
    guard !types.sufficient.isEmpty else { return accepted }
    return "(\(any(of: types.sufficient)) OR \(accepted))"
  }

  private func any(of types: [String]) -> String {
    let name = limits.isStrict ? "UTI-EQUALS" : "UTI-CONFORMS-TO"
    let tests = types.map { "ANY $attachment.registeredTypeIdentifiers \(name) \"\($0)\"" }
    return tests.count == 1 ? tests[0] : "(" + tests.joined(separator: " OR ") + ")"
  }
}
