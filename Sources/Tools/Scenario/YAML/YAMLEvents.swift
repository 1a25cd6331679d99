internal import CYaml
import Encodings

/// An event in the parsing of YAML. Aliases are not resolved.
struct YAMLEvent {
  enum Kind {
    /// The start of a document.
    case document
    /// An alias. The associated value is the name of its anchor.
    case alias(String)
    /// The text of a value, not converted to a number or boolean. A plain text has no quotes and no explicit tag.
    case scalar(String, isPlain: Bool)
    case sequence
    case mapping
    /// The end of the innermost sequence or mapping.
    case end
    /// The end of the text.
    case finish
  }

  var kind: Kind
  var position: Position
  /// The anchor with which aliases refer to the value; nil if there is none.
  var anchor: String?
}

/// The events in a YAML text, in order. No other type uses libyaml.
final class YAMLEvents {
  private let text: String
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  /// The bytes of the text. They must outlive the parser, which reads them.
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  /// The maximum number of directives in a text. It is limited because libyaml compares each directive with all earlier
  /// directives.
  private static let maximumDirectives = 16

  /// Creates a parser of the text. Throws an error if the text has more directives than ``maximumDirectives``.
  init(_ text: String) throws(InputError) {
    self.text = text
    bytes = .allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    try checkDirectives()
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  private func checkDirectives() throws(InputError) {
    var (line, count) = (1, 0)
    var isAtStart = true
    for byte in bytes {
      if isAtStart, byte == UInt8(ascii: "%") {
        count += 1
        guard count <= Self.maximumDirectives else {
          throw InputError(
            .tooLarge, at: Position(line: line, column: 1),
            "more than \(Self.maximumDirectives) lines begin with `%`")
        }
      }
      isAtStart = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") { line += 1 }
    }
  }

  /// Returns the next event. Throws an error if the text is not valid YAML.
  func next() throws(InputError) -> YAMLEvent {
    while true {
      var raw = yaml_event_t()
      guard yaml_parser_parse(parser, &raw) == 1 else { throw mistake }
      defer { yaml_event_delete(&raw) }
      if let event = YAMLEvent(raw) { return event }
    }
  }

  /// The error that stopped the parser.
  private var mistake: InputError {
    let raw = parser.pointee
    guard let problem = raw.problem.map({ String(cString: $0) }) else {
      return InputError(
        .yamlSyntax, at: Position(raw.mark), "the text cannot be read")
    }
    guard raw.error != YAML_READER_ERROR else {
      return InputError(.yamlSyntax, at: position(of: raw.problem_offset), problem)
    }
    let context = raw.context.map { String(cString: $0) }
    return LibYAMLError(
      text: text, problem: problem, context: context, position: Position(raw.problem_mark),
      start: context.map { _ in Position(raw.context_mark) }
    ).error
  }

  /// Returns the position of the character at a UTF-8 offset.
  private func position(of offset: Int) -> Position {
    let before = bytes.prefix(offset)
    let lines = before.count { $0 == UInt8(ascii: "\n") }
    let last = before.suffix(from: before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    let column = last.count { $0 & 0xC0 != 0x80 }
    return Position(line: lines + 1, column: column + 1)
  }
}

extension YAMLEvent {
  /// Converts a libyaml event. Returns nil for the beginning of the text and the end of a document.
  fileprivate init?(_ raw: yaml_event_t) {
    position = Position(raw.start_mark)
    switch raw.type {
    case YAML_DOCUMENT_START_EVENT: kind = .document
    case YAML_ALIAS_EVENT: kind = .alias(Self.text(raw.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      let isPlain =
        scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.quoted_implicit == 0 && scalar.tag == nil
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain)
      anchor = Self.text(scalar.anchor)
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequence
      anchor = Self.text(raw.data.sequence_start.anchor)
    case YAML_MAPPING_START_EVENT:
      kind = .mapping
      anchor = Self.text(raw.data.mapping_start.anchor)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .end
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: kind = .finish
    default: return nil  // open: the beginning of the text, and the end of a document
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
    pointer.map { String(cString: UnsafePointer($0)) }
  }
}

extension Position {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
