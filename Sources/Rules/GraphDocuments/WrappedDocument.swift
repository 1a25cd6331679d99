package import Encodings

/// A document inside another object, or inside a string as JSON text. Some export tools nest documents in this way.
package struct WrappedDocument {
  /// The result of inspecting a value in the search for a document.
  package enum Candidate {
    case match
    /// A document of another kind. The search does not continue inside it.
    case otherDocument
    case unknown
  }

  /// The members that contain the document, outermost first.
  private let path: [JSONValue.Member]
  /// Whether the document is JSON text in the string value of the innermost member.
  private let isText: Bool

  /// The maximum nesting depth of the search. No known tool nests documents so deeply.
  private static let depth = 6

  /// Finds the first document below `value`; nil if there is none.
  package init?(in value: JSONValue, where candidate: (JSONValue) -> Candidate) {
    self.init(in: value, [], isText: false, candidate)
  }

  /// Finds the first document of one of the kinds below `value`. If there is none, searches below `root`. Nil if
  /// neither contains one.
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

  /// The end of an error message. It states where the document is and how to extract it:
  /// ``one is in the text of `RAWJson` (line 4): save it as a separate file …``.
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
