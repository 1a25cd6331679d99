package import JSON

/// A step in the words of a command line: `share from=mail to=viewer text="Quarterly figures" expect.verdict=blocked`.
///
/// What follows the step's own word are values, or keys with values; a dot leads into a mapping. `as`, `repeat`, and
/// `expect`, and `window` but of `switchIdentity`, are the step's and not its action's.
package enum StepLine {
  /// The same step as JSON text, which is YAML as well.
  ///
  /// - Returns: nil where there are no words.
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

  /// The step that `word` begins, as words of a command line.
  ///
  /// - Parameter value: what belongs to it.
  package static func words(of word: String, _ value: JSONValue) -> String {
    let words =
      switch value.kind {
      case .array(let elements) where elements.allSatisfy({ $0.string != nil }):
        elements.compactMap(\.string).map(quoted)
      case .object(let members): members.flatMap { assignments(to: $0.name, $0.value) }
      default: [quoted(text(value))]
      }
    return ([word] + words).joined(separator: " ")
  }

  private static func assignments(to path: String, _ value: JSONValue) -> [String] {
    guard let members = value.members else { return ["\(path)=\(quoted(text(value)))"] }
    return members.flatMap { assignments(to: "\(path).\($0.name)", $0.value) }
  }

  private static func text(_ value: JSONValue) -> String {
    if let text = value.string { return text }
    var writer = JSONWriter()
    value.write(to: &writer)
    return writer.text
  }

  /// In single quotes where a shell would take it apart.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@".contains($0))
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
  }

  /// The words of a line as a shell would split it: blanks part them, and quotes keep them together.
  package static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + [word].compactMap(\.self)
  }

  /// A key, its parts apart, and a value; nil where the word is a value alone.
  private static func assignment(_ word: String) -> (path: [String], value: String)? {
    guard let equals = word.firstIndex(of: "=") else { return nil }
    let path = word[..<equals].split(separator: ".", omittingEmptySubsequences: false)
    guard
      path.allSatisfy({ part in
        part.first?.isLetter == true && part.allSatisfy { $0.isLetter || $0.isNumber }
      })
    else { return nil }
    return (path.map(String.init), json(String(word[word.index(after: equals)...])))
  }

  private static func place(of path: [String], in action: String) -> [String] {
    switch path.first {
    case "as", "repeat", "expect": path
    case "window" where action != "switchIdentity": path
    default: [action] + path
    }
  }

  private static func list(_ values: [String]) -> String {
    let values = values.map(json)
    guard values.count > 1 else { return values[0] }
    return "[\(values.joined(separator: ","))]"
  }

  /// A value as JSON: what is JSON already but text, or text.
  private static func json(_ value: String) -> String {
    let isJSON =
      ["true", "false", "null"].contains(value) || Int(value) != nil
      || (value.hasPrefix("[") || value.hasPrefix("{")) && (try? JSONReader.read(value)) != nil
    if isJSON { return value }
    var writer = JSONWriter()
    writer.string(value)
    return writer.text
  }

  /// A mapping that grows.
  private struct Node {
    /// JSON text, or further members.
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
      var node = Node()
      if case .node(let known) = members[name] { node = known }
      node.set(rest, to: value)
      members[name] = .node(node)
    }

    var json: String {
      var writer = JSONWriter()
      write(to: &writer)
      return writer.text
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
