import Model

/// An independent evaluator of all queries. It makes one pass over all dictionaries, without the
/// engine's steps.
struct NaiveConfiguration {
  var dictionaries: [[String: ConfigurationValue]]

  private func isDefault(_ dictionary: [String: ConfigurationValue]) -> Bool {
    if case .boolean(true)? = dictionary["__IsDefault"] { return true }
    return false
  }

  /// Returns the values that apply to the key.
  func counting(_ key: String) -> [ConfigurationValue] {
    var targeted: [ConfigurationValue] = []
    var defaults: [ConfigurationValue] = []
    for dictionary in dictionaries {
      guard let value = dictionary[key] else { continue }
      if isDefault(dictionary) { defaults.append(value) } else { targeted.append(value) }
    }
    if targeted.count == 0 { return defaults }
    return targeted
  }

  func hasConflict(_ key: String) -> Bool {
    for (index, first) in dictionaries.enumerated() where !isDefault(first) {
      for second in dictionaries.dropFirst(index + 1) where !isDefault(second) {
        if let one = first[key], let other = second[key], one != other { return true }
      }
    }
    return false
  }

  func answer(_ question: ConfigurationQuestion) -> [String] {
    let values = counting(question.key)
    switch question.type {
    case .boolean:
      var flags: [Bool] = []
      for value in values { if let flag = flag(value) { flags.append(flag) } }
      return settle(flags, question.query).map { $0 ? "true" : "false" }
    case .number:
      // The values in these tests are small integers.
      let numbers = values.compactMap(whole)
      return settle(numbers.sorted(), numbers, question.query).map { "\($0)" }
    case .string:
      let texts = values.compactMap(text)
      return settle(
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, texts, question.query)
    }
  }

  private func settle(_ flags: [Bool], _ query: ConfigurationQuestion.Query) -> [Bool] {
    if query == .all || flags.isEmpty { return flags }
    if query == .or { return [flags.filter { $0 }.count > 0] }
    if query == .and { return [flags.filter { !$0 }.count == 0] }
    return [flags[0]]
  }

  private func settle<Value>(
    _ sorted: [Value], _ values: [Value], _ query: ConfigurationQuestion.Query
  ) -> [Value] {
    if query == .all || values.isEmpty { return values }
    if query == .min { return [sorted[0]] }
    if query == .max { return [sorted[sorted.count - 1]] }
    return [values[0]]
  }

  private func flag(_ value: ConfigurationValue) -> Bool? {
    switch value {
    case .boolean(let flag): return flag
    case .integer(let number): return number == 0 ? false : true
    case .text("true"), .text("1"): return true
    case .text("false"), .text("0"): return false
    case .text, .real, .list, .dictionary: return nil
    }
  }

  private func whole(_ value: ConfigurationValue) -> Int? {
    switch value {
    case .boolean(let flag): return flag ? 1 : 0
    case .integer(let number): return number
    case .text(let text): return Int(text)
    case .real, .list, .dictionary: return nil
    }
  }

  private func text(_ value: ConfigurationValue) -> String? {
    switch value {
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let number): return "\(number)"
    case .text(let text): return text
    case .real, .list, .dictionary: return nil
    }
  }
}
