/// The constraints of a schema in words for administrators.
extension NumberRange {
  /// The bounds in words, such as `from 5 to 120` or `at least 5 and less than 10`; nil where there is no bound.
  var words: String? {
    let text = ConfigurationValue.text(of:)
    if let minimum, let maximum, exclusiveMinimum == nil, exclusiveMaximum == nil {
      return minimum == maximum ? text(minimum) : "from \(text(minimum)) to \(text(maximum))"
    }
    let parts = [
      minimum.map { "at least \(text($0))" },
      exclusiveMinimum.map { "greater than \(text($0))" },
      maximum.map { "at most \(text($0))" },
      exclusiveMaximum.map { "less than \(text($0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }
}

extension Schema {
  /// The types of the value in words, such as `string`, `array of strings`, `dictionary` or `date`.
  var typeWords: String {
    let types = typesOfAll
    guard !types.isEmpty else { return "any" }
    return types.map { word(for: $0, isPlural: false) }.joined(separator: " or ")
  }

  private func word(for type: ValueType, isPlural: Bool) -> String {
    let singular: String
    switch type {
    case .string where isDate: singular = "date"
    case .string where isData: return "data"
    case .object: return isPlural ? "dictionaries" : "dictionary"
    case .array:
      let noun = isPlural ? "arrays" : "array"
      guard case .each(let items) = items else { return noun }
      let types = items.typesOfAll
      guard !types.isEmpty else { return noun }
      let words = types.map { items.word(for: $0, isPlural: true) }
      return "\(noun) of \(words.joined(separator: " or "))"
    case .null: return "null"
    case .string, .integer, .number, .boolean: singular = type.rawValue
    }
    return isPlural ? singular + "s" : singular
  }

  /// The constraints on a value beyond its type, each as a clause; code stands in backticks.
  var constraintWords: [String] {
    var words: [String] = []
    if let values {
      let texts = values.inOrder.map { $0.text ?? "\($0.noun)" }.map { "`\($0)`" }
      words.append((texts.count == 1 ? "only " : "one of ") + texts.joined(separator: ", "))
    }
    if let range = range.words { words.append(range) }
    if let divisor = range.multipleOf {
      words.append("a multiple of \(ConfigurationValue.text(of: divisor))")
    }
    if let length = length.words("character") { words.append(length) }
    if let pattern { words.append("matches `\(pattern.text)`") }
    if let format, !isDate { words.append(format.noun) }
    if let count = itemCount.words("element") { words.append(count) }
    if itemsAreUnique { words.append("no element twice") }
    if let count = keyCount.words("key") { words.append(count) }
    if case .each(let items) = items {
      words += items.constraintWords.map { "each \($0)" }
    }
    words += allOf.flatMap(\.constraintWords)
    for alternatives in [anyOf, oneOf] where !alternatives.isEmpty {
      let each = alternatives.map { alternative in
        let clauses = alternative.constraintWords
        let title = alternative.title ?? alternative.typeWords
        return clauses.isEmpty ? title : "\(title) (\(clauses.joined(separator: "; ")))"
      }
      words.append("either " + each.joined(separator: ", or "))
    }
    return words
  }
}
