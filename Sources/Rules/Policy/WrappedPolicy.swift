import JSON

/// A policy inside of something else, as some tools export it: in an object of theirs, or as text in a text.
struct WrappedPolicy {
  /// The members around it, the outermost first.
  private let path: [JSONValue.Member]
  /// Whether the innermost member holds it as text.
  private let isText: Bool

  /// The first policy for iOS below `value`; nil where there is none.
  init?(in value: JSONValue) { self.init(in: value, [], isText: false) }

  private init?(in value: JSONValue, _ path: [JSONValue.Member], isText: Bool) {
    guard path.count < Self.depth else { return nil }
    if !path.isEmpty || isText, Self.isPolicy(value) {
      self.path = path
      self.isText = isText
      return
    }
    switch value.kind {
    case .array(let elements):
      for element in elements {
        guard let found = Self(in: element, path, isText: isText) else { continue }
        self = found
        return
      }
    case .object(let members):
      if case .foreign = GraphType(of: value) { return nil }
      for member in members {
        guard let found = Self(in: member.value, path + [member], isText: false) else { continue }
        self = found
        return
      }
    case .string(let text):
      guard let first = text.first(where: { !$0.isWhitespace }),
        "{[".contains(first), let inner = try? JSONReader.read(text),
        let found = Self(in: inner, path, isText: true)
      else { return nil }
      self = found
      return
    case .null, .bool, .number: break
    }
    return nil
  }

  /// More layers than any tool has.
  private static let depth = 6

  /// Where no type is stated, one setting alone may be another thing's property of the same name.
  private static func isPolicy(_ value: JSONValue) -> Bool {
    switch GraphType(of: value) {
    case .iOSPolicy: true
    case .unstated: GraphType.settingCount(of: value) > 1
    case .foreign: false
    }
  }

  /// Where the outermost member stands.
  var position: Position { path.first?.position ?? Position(line: 1, column: 1) }

  /// What to do about it: `` one is in the text of `RAWJson` (line 4): save that text as a file ``.
  var hint: String {
    let name = path.map(\.name).joined(separator: ".")
    guard isText else {
      return "one is in `\(name)` (line \(position.line)): save that object as a file of its own"
    }
    let text = path.isEmpty ? "the text" : "the text of `\(name)` (line \(position.line))"
    return "one is in \(text): save it as a file of its own, without the quotes and backslashes "
      + "around it"
  }
}
