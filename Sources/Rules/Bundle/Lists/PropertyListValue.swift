/// A value of a property list, in the type that the file states: an integer is no boolean.
package struct PropertyListValue: Sendable {
  /// The type and the content of a value.
  package enum Kind: Sendable {
    case boolean(Bool)
    case string(String)
    case integer(Int)
    case real(Double)
    case data([UInt8])
    /// Seconds since the beginning of 2001, UTC.
    case date(Double)
    case array([PropertyListValue])
    case dictionary(PropertyListDictionary)
  }

  package var kind: Kind
  /// The bytes of an XML list's element, its tags included; empty in a binary list.
  package var range: Range<Int>
  /// The bytes between the tags of an XML list's element; empty where there is one tag only.
  var content: Range<Int>
  /// The origin of a string's text in the file; empty in a binary list.
  var pieces: [TextPiece]

  init(
    _ kind: Kind, range: Range<Int> = 0..<0, content: Range<Int> = 0..<0, pieces: [TextPiece] = []
  ) {
    self.kind = kind
    self.range = range
    self.content = content
    self.pieces = pieces
  }

  /// The noun for a value of this kind in messages.
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

  /// The offset in the file of byte number `offset` of a string's text; nil for other values and in
  /// binary lists.
  func source(of offset: Int) -> Int? {
    guard let piece = pieces.last(where: { $0.start <= offset }) ?? pieces.first else { return nil }
    guard piece.isLiteral else { return piece.source.lowerBound }
    return min(piece.source.lowerBound + offset - piece.start, piece.source.upperBound)
  }
}

/// Equal values have the same content: places in the file and the order of keys do not count.
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

/// A run of a string's text, and the bytes of the file that it was read from.
struct TextPiece: Sendable {
  /// The offset where the run begins in the text, in bytes of UTF-8.
  var start: Int
  var source: Range<Int>
  /// Whether the run stands in the file as it is: no entity, no converted line end.
  var isLiteral: Bool
}
