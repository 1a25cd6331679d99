internal import Activation
internal import Output

extension ActivationRule {
  /// Reads an activation rule from a property list.
  ///
  /// - Returns: The rule, and the findings about it with their positions in the file. The rule is nil if it is absent
  ///   or invalid.
  static func read(
    from list: PropertyList, at path: ListPath, settings: BuildSettings
  ) -> (rule: ActivationRule?, findings: [BundleFinding]) {
    guard let value = list.value(at: path) else { return (nil, []) }
    switch value.kind {
    case .dictionary(let values):
      let rule = DictionaryRule(values: values.entries.map { .init($0, settings: settings) })
      let findings = rule.warnings.map { warning in
        BundleFinding(
          .ruleValue, warning.isHarmless ? .note : nil, file: list.file,
          at: list.position(of: path + (warning.key.map { [.key($0)] } ?? [])), warning.message)
      }
      return (.dictionary(rule), findings)
    case .string(let text):
      do throws(PredicateError) {
        return (.predicate(try Predicate(parsing: settings.expanding(text).text)), [])
      } catch {
        return (nil, [invalid(error, text, in: list, at: path)])
      }
    case .boolean, .integer, .real, .data, .date, .array:
      let finding = BundleFinding(
        .ruleInvalid, file: list.file, at: list.position(of: path),
        "the rule must be a dictionary or a predicate, found \(value.noun)\(value.excerpt)")
      return (nil, [finding])
    }
  }

  private static func invalid(
    _ error: PredicateError, _ text: String, in list: PropertyList, at path: ListPath
  ) -> BundleFinding {
    let offset = offset(inUTF8: text, line: error.line, column: error.column)
    // A binary property list has no positions, so the message contains the position in the predicate.
    let place = list.isBinary ? " in line \(error.line), column \(error.column)" : ""
    return BundleFinding(
      .ruleInvalid, file: list.file, at: list.position(ofValueAt: path, offset: offset),
      "the rule is not a predicate\(place): expected \(error.expected), found \(error.found)",
      suggestion: error.suggestion)
  }

  private static func offset(inUTF8 text: String, line: Int, column: Int) -> Int {
    var place = (line: 1, column: 1)
    for index in text.indices {
      if place >= (line, column) { return text.utf8.distance(from: text.startIndex, to: index) }
      place = text[index].isNewline ? (place.line + 1, 1) : (place.line, place.column + 1)
    }
    return text.utf8.count
  }

  /// The source text of the rule as the SDK's configurator rewrites it. Nil if rewriting changes nothing or is
  /// impossible.
  var rewrittenText: String? {
    guard case .predicate(let new)? = try? rewritten() else { return nil }
    if case .predicate(let old) = self, old.source == new.source { return nil }
    return new.source
  }

  var headline: String {
    switch self {
    case .predicate(let predicate): predicate.description
    case .dictionary(let rule):
      rule.entries.map { entry in
        let key = entry.key.replacing("NSExtensionActivation", with: "")
        switch entry.value {
        case .integer(let number): return "\(key) \(number)"
        case .boolean(let flag): return "\(key) \(flag ? "yes" : "no")"
        case .string(let text): return "\(key) `\(text)`"
        case .other(let noun): return "\(key): \(noun)"
        }
      }.joined(separator: ", ")
    }
  }
}

extension DictionaryRule.Entry {
  fileprivate init(_ entry: PropertyListDictionary.Entry, settings: BuildSettings) {
    let value: DictionaryRule.Value =
      switch entry.value.kind {
      case .integer(let number): .integer(number)
      // Converts like `NSNumber`.
      case .real(let number): .integer(Int(exactly: number.rounded(.towardZero)) ?? 0)
      case .boolean(let flag): .boolean(flag)
      case .string(let text): .string(settings.expanding(text).text)
      case .data, .date, .array, .dictionary: .other(entry.value.noun)
      }
    self.init(key: entry.key, value: value)
  }
}
