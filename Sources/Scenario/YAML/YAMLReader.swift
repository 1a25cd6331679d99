import JSON
import Yams

/// Reads YAML text into values with positions. The only place that sees Yams.
struct YAMLReader {
  /// How many values a file may hold, those that aliases repeat counted each time.
  static let maximumCount = 1_000_000
  /// How deep lists and mappings may nest.
  static let maximumDepth = 64

  private var count = 0

  /// The single document that `text` holds.
  static func read(_ text: String) throws(Mistake) -> YAMLValue {
    // Without a byte order mark columns count from the first character that one sees.
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
    let start = Position(line: 1, column: 1)
    let root: Node?
    do {
      root = try Yams.compose(yaml: text, .basic, .default, .utf8)
    } catch let error as YamlError {
      throw Mistake(error, in: text)
    } catch {
      throw Mistake(.yamlSyntax, at: start, "the text cannot be read")
    }
    guard let root else { throw Mistake(.yamlSyntax, at: start, "the file is empty") }
    var reader = YAMLReader()
    return try reader.value(root, name: "the file", depth: 0)
  }

  private mutating func value(
    _ node: Node, name: String, depth: Int
  ) throws(Mistake) -> YAMLValue {
    let position = Position(node.mark)
    count += 1
    guard count <= Self.maximumCount else {
      throw Mistake(.tooLarge, at: position, "the file holds more than \(Self.maximumCount) values")
    }
    guard depth <= Self.maximumDepth else {
      throw Mistake(.tooLarge, at: position, "nested deeper than \(Self.maximumDepth) levels")
    }
    let kind: YAMLValue.Kind
    switch node {
    case .scalar(let scalar):
      kind = .scalar(scalar.string, isPlain: scalar.style == .plain && scalar.tag.rawValue.isEmpty)
    case .sequence(let sequence):
      var elements: [YAMLValue] = []
      for element in sequence {
        elements.append(try value(element, name: name, depth: depth + 1))
      }
      kind = .sequence(elements)
    case .mapping(let mapping):
      var members: [YAMLValue.Member] = []
      for (key, content) in mapping {
        guard let text = key.scalar?.string else {
          throw Mistake(.wrongType, at: Position(key.mark), "a key must be text")
        }
        members.append(
          .init(
            key: text, position: Position(key.mark),
            value: try value(content, name: text, depth: depth + 1)))
      }
      kind = .mapping(members)
    case .alias:
      throw Mistake(.yamlSyntax, at: position, "an alias to nothing")
    }
    return YAMLValue(kind: kind, position: position, name: name)
  }
}

extension Position {
  fileprivate init(_ mark: Mark?) {
    self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
  }
}
