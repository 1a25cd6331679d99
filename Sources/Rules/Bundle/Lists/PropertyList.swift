package import Encodings
internal import Output

/// An XML or binary property list, with source positions. Its root is a dictionary.
package struct PropertyList: Sendable {
  /// The file name as the user wrote it.
  package let file: String
  /// The root dictionary.
  package let top: PropertyListValue
  /// The text of the list; nil for a binary property list.
  let text: ListText?
  /// The findings about content that Apple's reader accepts but that is probably a mistake.
  package let findings: [BundleFinding]

  /// The maximum depth of nested dictionaries and arrays.
  static let maximumDepth = 64

  /// Parses a property list.
  ///
  /// - Throws: ``BundleError`` if `bytes` are not a property list, or its root is not a dictionary.
  package init(_ bytes: [UInt8], file: String) throws(BundleError) {
    self.file = file
    if bytes.starts(with: BinaryListReader.signature) {
      text = nil
      (top, findings) = try BinaryListReader.read(bytes, file: file)
    } else {
      let text = try ListText(bytes, file: file)
      try text.checkForm(file: file)
      (top, findings) = try XMLListReader.read(text, file: file)
      self.text = text
    }
    guard top.dictionary != nil else {
      throw BundleError(file: file, message: "expected a dictionary at the top")
    }
  }

  /// Reads a list that the caller passes on unchanged. Rejects a list that other readers might interpret differently.
  ///
  /// - Throws: ``BundleError`` if `bytes` are not a property list, or if reading it produces a finding.
  package init(strictly bytes: [UInt8], file: String) throws(BundleError) {
    try self.init(bytes, file: file)
    guard let finding = findings.first else { return }
    var error = BundleError(
      file: file, line: finding.position?.line, column: finding.position?.column,
      message: finding.message)
    error.rule = finding.rule
    throw error
  }

  package var isBinary: Bool { text == nil }

  package var dictionary: PropertyListDictionary { top.dictionary ?? PropertyListDictionary() }

  package subscript(key: String) -> PropertyListValue? { dictionary[key] }

  package func value(at path: ListPath) -> PropertyListValue? {
    var value = top
    for step in path {
      switch step {
      case .key(let key):
        guard let next = value.dictionary?[key] else { return nil }
        value = next
      case .index(let index):
        guard let elements = value.array, elements.indices.contains(index) else { return nil }
        value = elements[index]
      }
    }
    return value
  }

  /// Returns the position of the `<key>` at `path` or, if `path` ends with an index, of the array element. If `path`
  /// does not exist, returns the position of its nearest existing ancestor. Nil for a binary property list, which has
  /// no lines.
  package func position(of path: ListPath) -> Position? {
    guard let text else { return nil }
    var path = path[...]
    while let step = path.popLast() {
      guard let parent = value(at: Array(path)) else { continue }
      switch step {
      case .key(let key):
        if let entry = parent.dictionary?.entry(key) {
          return text.position(of: entry.keyRange.lowerBound)
        }
      case .index(let index):
        if let elements = parent.array, elements.indices.contains(index) {
          return text.position(of: elements[index].range.lowerBound)
        }
      }
    }
    return text.position(of: top.range.lowerBound)
  }

  /// Returns the position of the start tag of the value at `path`, or of a byte in its text. Nil for a binary property
  /// list, and if `path` does not exist.
  ///
  /// - Parameter offset: A byte offset in the string's UTF-8; nil for the start tag.
  package func position(ofValueAt path: ListPath, offset: Int? = nil) -> Position? {
    guard let text, let value = value(at: path) else { return nil }
    let place = offset.flatMap { value.source(of: $0) }
    return text.position(of: place ?? value.range.lowerBound)
  }
}

// MARK: - Values

/// A dictionary with its entries in file order.
package struct PropertyListDictionary: Sendable {
  package struct Entry: Sendable {
    package var key: String
    /// The byte range of the `<key>`; empty in a binary property list.
    var keyRange: Range<Int>
    package var value: PropertyListValue
  }

  /// The entries, with unique keys.
  package let entries: [Entry]
  /// The index of each key in ``entries``.
  private let places: [String: Int]

  init(_ entries: [Entry] = []) {
    self.entries = entries
    places = Dictionary(
      entries.indices.map { (entries[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(key: String) -> PropertyListValue? { entry(key)?.value }

  package func entry(_ key: String) -> Entry? { places[key].map { entries[$0] } }
}

extension PropertyListDictionary: Equatable {
  package static func == (left: PropertyListDictionary, right: PropertyListDictionary) -> Bool {
    left.entries.count == right.entries.count
      && left.entries.allSatisfy { right[$0.key] == $0.value }
  }
}

/// A value with the type that the file states: an integer is not converted to a Boolean.
package struct PropertyListValue: Sendable {
  package enum Kind: Sendable {
    case boolean(Bool)
    case string(String)
    case integer(Int)
    case real(Double)
    case data([UInt8])
    /// Seconds since 1 January 2001, UTC.
    case date(Double)
    case array([PropertyListValue])
    case dictionary(PropertyListDictionary)
  }

  package var kind: Kind
  /// The byte range of the XML element, including its tags; empty in a binary property list.
  package var range: Range<Int>
  /// The byte range between the tags of the XML element; empty for a self-closing tag.
  var content: Range<Int>
  /// The consecutive parts of a string's text, with their source positions; empty in a binary property list.
  var pieces: [TextPiece]

  init(
    _ kind: Kind, range: Range<Int> = 0..<0, content: Range<Int> = 0..<0, pieces: [TextPiece] = []
  ) {
    self.kind = kind
    self.range = range
    self.content = content
    self.pieces = pieces
  }

  package var noun: String {
    switch kind {
    case .boolean: "a boolean"
    case .string: "a string"
    case .array: "an array"
    case .dictionary: "a dictionary"
    case .data: "data"
    case .date: "a date"
    case .integer, .real: "a number"
    }
  }

  package var string: String? { if case .string(let text) = kind { text } else { nil } }

  package var array: [PropertyListValue]? {
    if case .array(let elements) = kind { elements } else { nil }
  }

  package var dictionary: PropertyListDictionary? {
    if case .dictionary(let values) = kind { values } else { nil }
  }

  /// Returns the file offset of the byte at `offset` in a string's text. Nil for values that are not strings, and in
  /// binary property lists.
  func source(of offset: Int) -> Int? {
    guard let piece = pieces.last(where: { $0.start <= offset }) ?? pieces.first else { return nil }
    guard piece.isLiteral else { return piece.source.lowerBound }
    return min(piece.source.lowerBound + offset - piece.start, piece.source.upperBound)
  }
}

/// Compares contents. Source positions and the order of keys are ignored.
extension PropertyListValue: Equatable {
  package static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
    switch (left.kind, right.kind) {
    case (.boolean(let left), .boolean(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right || left.isNaN && right.isNaN
    case (.data(let left), .data(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    case (.boolean, _), (.string, _), (.integer, _), (.real, _), (.data, _), (.date, _),
      (.array, _), (.dictionary, _):
      false
    }
  }
}

/// A part of a string's text, with its source bytes in the file.
struct TextPiece: Sendable {
  /// The offset of the part in the text, in bytes of UTF-8.
  var start: Int
  var source: Range<Int>
  /// Whether the part is copied from the file verbatim. False for an entity or a converted line end.
  var isLiteral: Bool
}

// MARK: - Paths

/// A step from a value to one of its children.
package enum ListStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  case key(String)
  case index(Int)

  package init(stringLiteral key: String) { self = .key(key) }

  package init(integerLiteral index: Int) { self = .index(index) }
}

/// The path from the root to a value.
package typealias ListPath = [ListStep]

extension Array<ListStep> {
  /// The path as text: `NSExtension > NSExtensionAttributes`.
  var text: String {
    map { step in
      switch step {
      case .key(let key): key
      case .index(let index): "item \(index)"
      }
    }.joined(separator: " > ")
  }
}
