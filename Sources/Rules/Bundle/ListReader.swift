internal import Output

/// Reads values from a property list, replaces variables, and records values of unexpected types.
struct ListReader {
  let list: PropertyList
  let settings: BuildSettings
  private(set) var findings: [BundleFinding] = []

  init(_ list: PropertyList, settings: BuildSettings) {
    self.list = list
    self.settings = settings
  }

  mutating func string(_ path: ListPath) -> String? {
    guard let value = list.value(at: path) else { return nil }
    guard let text = value.string else {
      record(path, expected: "a string", value)
      return nil
    }
    return settings.expanding(text).text
  }

  /// Returns the string at `path`; nil if there is no string. The string affects decisions, so a finding is recorded
  /// for each unresolved variable in it.
  mutating func significant(_ path: ListPath) -> String? {
    let text = string(path)
    if let raw = list.value(at: path)?.string {
      let statement = "`\(path.last?.key ?? path.text)` is `\(Self.excerpt(of: raw))`"
      let position = list.position(ofValueAt: path)
      findings += settings.expanding(raw).unresolved.map { variable in
        BundleFinding(
          .unresolvedVariable, file: list.file, at: position, "\(statement): \(variable.message)")
      }
    }
    return text
  }

  private static func excerpt(of text: String) -> String {
    let start = text.prefix(80)
    return start.endIndex == text.endIndex ? text : "\(start)…"
  }

  /// Returns the strings in an array. Elements of other types are recorded and skipped.
  mutating func strings(_ path: ListPath) -> [String] {
    guard let value = list.value(at: path) else { return [] }
    guard let elements = value.array else {
      record(path, expected: "an array of strings", value)
      return []
    }
    return elements.indices.compactMap { string(path + [.index($0)]) }
  }

  /// Returns the strings in an array, or a single string as an array.
  mutating func oneOrMore(_ path: ListPath) -> [String] {
    if list.value(at: path)?.string != nil { return string(path).map { [$0] } ?? [] }
    return strings(path)
  }

  /// Returns a Boolean value; nil if it is absent or of another type. Real files contain strings and the numbers 0 and
  /// 1 as Booleans, so these are converted, and recorded as values of the wrong type. The only true strings are `yes`,
  /// `true` and `1`, in any casing.
  mutating func bool(_ path: ListPath) -> Bool? {
    guard let value = list.value(at: path) else { return nil }
    switch value.kind {
    case .boolean(let flag): return flag
    case .integer(let number) where number == 0 || number == 1:
      record(path, expected: "true or false", value)
      return number == 1
    case .string(let text):
      record(path, expected: "true or false", value)
      return ["yes", "true", "1"].contains(settings.expanding(text).text.lowercased())
    case .integer, .real, .data, .date, .array, .dictionary:
      record(path, expected: "true or false", value)
      return nil
    }
  }

  /// Returns the path of each dictionary in an array.
  mutating func dictionaries(_ path: ListPath) -> [ListPath] {
    guard let value = list.value(at: path) else { return [] }
    guard let elements = value.array else {
      record(path, expected: "an array of dictionaries", value)
      return []
    }
    return elements.indices.compactMap { index in
      let path = path + [.index(index)]
      if elements[index].dictionary != nil { return path }
      record(path, expected: "a dictionary", elements[index])
      return nil
    }
  }

  mutating func dictionary(_ path: ListPath) -> PropertyListDictionary? {
    guard let value = list.value(at: path) else { return nil }
    if value.dictionary == nil { record(path, expected: "a dictionary", value) }
    return value.dictionary
  }

  private mutating func record(_ path: ListPath, expected: String, _ found: PropertyListValue) {
    findings.append(
      BundleFinding(
        .wrongType, file: list.file, at: list.position(of: path),
        "`\(path.text)` must be \(expected), found \(found.noun)\(found.excerpt)"))
  }
}

extension ListStep {
  /// The key; nil for an index.
  var key: String? { if case .key(let key) = self { key } else { nil } }
}

extension PropertyListValue {
  /// The value as messages quote it: a space, then the value in backticks. Empty for strings of more than 40
  /// characters, data, dates and containers.
  var excerpt: String {
    switch kind {
    case .string(let text) where text.count <= 40: " `\(text)`"
    case .boolean(let flag): " `\(flag)`"
    case .integer(let number): " `\(number)`"
    case .real(let number): " `\(number)`"
    case .string, .data, .date, .array, .dictionary: ""
    }
  }

  /// Returns the value as text, with build settings expanded in strings. Data is shown by its size.
  func text(with settings: BuildSettings) -> String {
    switch kind {
    case .string(let text): settings.expanding(text).text
    case .boolean(let flag): flag ? "yes" : "no"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .data(let bytes): "\(bytes.count) bytes"
    case .date(let seconds): "\(seconds) seconds after January 1, 2001"
    case .array(let elements): elements.map { $0.text(with: settings) }.joined(separator: ", ")
    case .dictionary(let values):
      values.entries.map { "\($0.key): \($0.value.text(with: settings))" }.joined(separator: ", ")
    }
  }
}
