package import Encodings

/// A document that an export tool nested in another object, or stored as text in a string.
package struct WrappedDocument {
  /// The role of a value in the search.
  package enum Candidate {
    case match
    /// Another document, which is not searched.
    case otherDocument
    case unknown
  }

  /// The members around the document, outermost first.
  private let path: [JSONValue.Member]
  /// Whether the innermost member contains the document as text.
  private let isText: Bool

  /// The maximum nesting depth, which no known tool reaches.
  private static let depth = 6

  /// Finds the first document below `value`; nil if there is none.
  package init?(in value: JSONValue, where candidate: (JSONValue) -> Candidate) {
    self.init(in: value, [], isText: false, candidate)
  }

  /// Finds the first document of one of the kinds below `value`, or else below `root`; nil if there is none.
  package init?(of kinds: [ObjectType.Kind], in value: JSONValue, or root: JSONValue) {
    let candidate = { (value: JSONValue) -> Candidate in
      guard let type = ObjectType(of: value) else { return .unknown }
      if kinds.contains(type.kind) { return .match }
      return type.kind == .other && type.isShownByProperties ? .unknown : .otherDocument
    }
    if let found = Self(in: value, where: candidate) ?? Self(in: root, where: candidate) {
      self = found
    } else {
      return nil
    }
  }

  private init?(
    in value: JSONValue, _ path: [JSONValue.Member], isText: Bool,
    _ candidate: (JSONValue) -> Candidate
  ) {
    guard path.count < Self.depth else { return nil }
    let isWrapped = !path.isEmpty || isText
    switch (value.kind, candidate(value)) {
    case (_, .match) where isWrapped:
      self.path = path
      self.isText = isText
      return
    case (.array(let elements), _):
      for element in elements {
        guard let found = Self(in: element, path, isText: isText, candidate) else { continue }
        self = found
        return
      }
    case (.object, .otherDocument): break
    case (.object(let members), _):
      for member in members {
        let inner = path + [member]
        guard let found = Self(in: member.value, inner, isText: false, candidate) else { continue }
        self = found
        return
      }
    case (.string(let text), _):
      guard let first = text.first(where: { !$0.isWhitespace }),
        "{[".contains(first), let inner = try? JSONReader.read(text),
        let found = Self(in: inner, path, isText: true, candidate)
      else { return nil }
      self = found
      return
    case (.null, _), (.bool, _), (.number, _): break
    }
    return nil
  }

  /// The position of the outermost member.
  package var position: Position { path.first?.position ?? Position(line: 1, column: 1) }

  /// The fix: ``one is in the text of `RAWJson` (line 4): save it as a separate file …``.
  package var hint: String {
    let name = path.map(\.name).joined(separator: ".")
    guard isText else {
      return "one is in `\(name)` (line \(position.line)): save that object as a separate file"
    }
    let text = path.isEmpty ? "the text" : "the text of `\(name)` (line \(position.line))"
    return "one is in \(text): save it as a separate file, without the enclosing quotes and the "
      + "escaping backslashes"
  }
}
