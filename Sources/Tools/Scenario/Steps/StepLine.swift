package import Encodings

/// A step as command-line words, such as `share from=mail to=viewer text="Quarterly figures" expect.verdict=blocked`.
///
/// The step's word is followed by values, or by keys with values. A dot separates nested keys. The keys `as`, `on`,
/// `repeat` and `expect` belong to the step and not to its action. The same applies to `window`, except in
/// `switchIdentity`.
package enum StepLine {
  /// Returns the step as JSON text, which is also valid YAML; nil if `words` is empty.
  package static func json(_ words: [String]) -> String? {
    guard let word = words.first else { return nil }
    var step = Node()
    var values: [String] = []
    for word in words.dropFirst() {
      guard let (path, value) = assignment(word) else {
        values.append(word)
        continue
      }
      step.set(place(of: path, in: words[0]), to: value)
    }
    if !values.isEmpty { step.set([word], to: list(values)) }
    if step.members[word] == nil { step.set([word], to: "{}") }
    return step.json
  }

  /// Returns the step `word: value` as command-line words.
  package static func words(of word: String, _ value: JSONValue) -> String {
    let words =
      switch value.kind {
      case .array(let elements):
        elements.allSatisfy { $0.string != nil }
          ? elements.compactMap(\.string).map(quoted) : [quoted(text(value))]
      case .object(let members): members.flatMap { assignments(to: $0.name, $0.value) }
      case .null, .bool, .number, .string: [quoted(text(value))]
      }
    return ([word] + words).joined(separator: " ")
  }

  private static func assignments(to path: String, _ value: JSONValue) -> [String] {
    guard let members = value.members else { return ["\(path)=\(quoted(text(value)))"] }
    return members.flatMap { assignments(to: "\(path).\($0.name)", $0.value) }
  }

  private static func text(_ value: JSONValue) -> String {
    value.string ?? value.line
  }

  /// Quotes the text if a shell would split or expand it.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@".contains($0))
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
  }

  /// Splits a line into words as a shell does, at blanks outside quotes.
  package static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    func append(_ character: Character) {
      if word == nil { word = "" }
      word?.append(character)
    }
    for character in line {
      if isEscaped {
        append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        append(character)
      }
    }
    return words + [word].compactMap(\.self)
  }

  /// The maximum number of keys in a path. A longer path is truncated to this length, which is still too deep for a
  /// step, so the step is rejected.
  private static let longestPath = YAMLReader.maximumDepth + 2

  /// Splits a word into a key path and a value as JSON. Returns nil if the word is only a value.
  private static func assignment(_ word: String) -> (path: [String], value: String)? {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    let path = word[..<equals].split(separator: ".", omittingEmptySubsequences: false)
    guard
      path.allSatisfy({ part in
        part.first?.isLetter == true && part.allSatisfy { $0.isLetter || $0.isNumber }
      })
    else { return nil }
    return (
      path.prefix(longestPath).map(String.init), json(String(word[word.index(after: equals)...]))
    )
  }

  private static func place(of path: [String], in action: String) -> [String] {
    switch path.first.flatMap(Step.Qualifier.init) {
    case .as, .repeat, .expect, .on: path
    case .window: action == "switchIdentity" ? [action] + path : path
    case nil: [action] + path
    }
  }

  private static func list(_ values: [String]) -> String {
    let values = values.map(json)
    guard values.count > 1 else { return values[0] }
    return "[\(values.joined(separator: ","))]"
  }

  /// Returns a value as JSON. Booleans, `null`, integers, arrays and objects stay unchanged. Any other
  /// text becomes a string.
  private static func json(_ value: String) -> String {
    let isJSON =
      ["true", "false", "null"].contains(value) || Int(value).map { "\($0)" } == value
      || (value.hasPrefix("[") || value.hasPrefix("{")) && (try? JSONReader.read(value)) != nil
    if isJSON { return value }
    return JSONWriter.quoted(value)
  }

  private struct Node {
    /// A member of the JSON object: JSON text, or a nested mapping.
    enum Member {
      case value(String)
      case node(Node)
    }

    var members: [String: Member] = [:]
    private var order: [String] = []

    mutating func set(_ path: [String], to value: String) {
      guard let name = path.first else { return }
      if members[name] == nil { order.append(name) }
      let rest = Array(path.dropFirst())
      guard !rest.isEmpty else {
        members[name] = .value(value)
        return
      }
      // The node is removed, so it has one owner and is not copied.
      var node = Node()
      if case .node(let known)? = members.updateValue(.value(""), forKey: name) { node = known }
      node.set(rest, to: value)
      members[name] = .node(node)
    }

    var json: String {
      JSONWriter.text { write(to: &$0) }
    }

    private func write(to writer: inout JSONWriter) {
      writer.object { writer in
        for name in order {
          writer.member(named: name) { writer in
            switch members[name] {
            case .value(let text): writer.raw(text.utf8)
            case .node(let node): node.write(to: &writer)
            case nil: writer.null()
            }
          }
        }
      }
    }
  }
}
