internal import CExpat
internal import Encodings
internal import Foundation
internal import Output

/// Reads an XML property list with Expat. A list that declares entities is rejected; no real list does.
///
/// Source: Apple, PropertyList-1.0.dtd.
final class XMLListReader {
  /// An element whose end tag has not been read.
  private struct Open {
    var element: Element
    /// The byte range of the element's start tag.
    var tag: Range<Int>
    var entries: [PropertyListDictionary.Entry] = []
    var elements: [PropertyListValue] = []
    /// The last key, if its value has not been read.
    var key: (text: String, range: Range<Int>)?
    /// For each key of a dictionary, the index of its last occurrence in `entries`.
    var places: [String: Int] = [:]
  }

  private enum Element: String, CaseIterable {
    case plist, dict, array, key, string, integer, real, data, date
    case yes = "true"
    case no = "false"

    var isText: Bool {
      switch self {
      case .key, .string, .integer, .real, .data, .date: true
      case .plist, .dict, .array, .yes, .no: false
      }
    }
  }

  private let text: ListText
  private let file: String
  private let parser: XML_Parser
  private var open: [Open] = []
  private var root: PropertyListValue?
  private var failure: BundleError?
  /// The text read so far of the innermost open element. `pieces` maps the text to positions in the file.
  private var characters: [UInt8] = []
  private var pieces: [TextPiece] = []
  private var findings: [BundleFinding] = []

  private init(_ text: ListText, file: String, parser: XML_Parser) {
    self.text = text
    self.file = file
    self.parser = parser
  }

  deinit { XML_ParserFree(parser) }

  /// Reads a list.
  ///
  /// - Returns: The value and the findings about it. If a key occurs twice, the last value is used.
  /// - Throws: ``BundleError`` with the position, if the list is truncated, malformed or nested too deeply.
  ///
  /// Source: `parseDictTag` in CFPropertyList.c of CoreFoundation.
  static func read(
    _ text: ListText, file: String
  ) throws(BundleError) -> (value: PropertyListValue, findings: [BundleFinding]) {
    guard let parser = XML_ParserCreate("UTF-8") else {
      throw BundleError(file: file, message: "out of memory")
    }
    let reader = XMLListReader(text, file: file, parser: parser)
    return (try reader.run(), reader.findings)
  }

  private func run() throws(BundleError) -> PropertyListValue {
    setHandlers()
    let status = text.bytes.withUnsafeBytes { bytes in
      XML_Parse(
        parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
    }
    if let failure { throw failure }
    guard status == XML_STATUS_OK else {
      throw Self.error(
        error: XMLSyntaxError(
          code: XML_GetErrorCode(parser), offset: event.lowerBound,
          open: open.map { ($0.element.rawValue, $0.tag.lowerBound) }), text: text, file: file)
    }
    guard let root else { throw error("the list is empty", at: text.bytes.count) }
    return root
  }

  private func setHandlers() {
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { reader, name, _ in XMLListReader.of(reader)?.starts(name.map { String(cString: $0) }) },
      { reader, _ in XMLListReader.of(reader)?.ends() })
    XML_SetCharacterDataHandler(parser) { reader, start, count in
      XMLListReader.of(reader)?.reads(UnsafeBufferPointer(start: start, count: Int(count)))
    }
    XML_SetEntityDeclHandler(parser) { reader, name, _, _, _, _, _, _, _ in
      let name = name.map { String(cString: $0) } ?? ""
      XMLListReader.of(reader)?.fails(
        "the list declares the entity `\(name)`, which property lists do not need")
    }
    XML_SetSkippedEntityHandler(parser) { reader, name, _ in
      let name = name.map { String(cString: $0) } ?? ""
      XMLListReader.of(reader)?.fails(XMLSyntaxError.unknownEntity(name))
    }
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLListReader? {
    pointer.map { Unmanaged<XMLListReader>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Expat events

  /// The byte range of Expat's current event.
  private var event: Range<Int> {
    let start = max(0, Int(XML_GetCurrentByteIndex(parser)))
    return start..<start + Int(XML_GetCurrentByteCount(parser))
  }

  private func starts(_ name: String?) {
    guard failure == nil, let name else { return }
    guard let element = Element(rawValue: name) else {
      if open.isEmpty {
        fail(BundleError(file: file, message: "not a property list"))
      } else {
        let known = Element.allCases.map(\.rawValue).filter { $0 != "plist" }
        let near = Suggestion.word(for: name, among: known)
        fails("unknown element `<\(name)>`" + Suggestion.text(near.map { "<\($0)>" }))
      }
      return
    }
    guard admits(element) else { return }
    open.append(Open(element: element, tag: event))
    characters.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
  }

  /// Returns whether `element` may begin here; if not, fails the parse.
  private func admits(_ element: Element) -> Bool {
    guard let parent = open.last else { return admitsRoot(element) }
    let name = element.rawValue
    switch parent.element {
    case .plist where root != nil: fails("a second value; a list has exactly one value")
    case .dict where parent.key == nil && element != .key:
      fails("expected `<key>`, found `<\(name)>`")
    case .dict where parent.key != nil && element == .key:
      fails("the key `\(parent.key?.text ?? "")` has no value", at: parent.key?.range.lowerBound)
    case .plist where element == .key, .array where element == .key:
      fails("a `<key>` outside of a dictionary")
    case .key, .string, .integer, .real, .data, .date, .yes, .no:
      fails("`<\(name)>` inside `<\(parent.element.rawValue)>`")
    case .plist, .dict, .array:
      if element == .plist {
        fails("`<plist>` inside `<\(parent.element.rawValue)>`")
      } else if open.count > PropertyList.maximumDepth {
        fails("the list has more than \(PropertyList.maximumDepth) levels of nesting")
      }
    }
    return failure == nil
  }

  /// Returns whether `element` may be the root; if not, fails the parse. A `<dict>` may be the root, with a warning.
  ///
  /// Source: `parseXMLElement` in CFPropertyList.c of CoreFoundation, which accepts a value without an enclosing
  /// `<plist>`.
  private func admitsRoot(_ element: Element) -> Bool {
    switch element {
    case .plist: return true
    case .dict:
      warn(
        .listRoot, "the `<dict>` has no `<plist version=\"1.0\">` around it",
        at: event.lowerBound)
      return true
    case .key, .array, .string, .integer, .real, .data, .date, .yes, .no:
      fail(BundleError(file: file, message: "not a property list"))
      return false
    }
  }

  private func reads(_ text: UnsafeBufferPointer<CChar>) {
    guard failure == nil, let element = open.last?.element else { return }
    guard element.isText else {
      if let place = text.firstIndex(where: { !" \t\r\n".utf8.contains(UInt8(bitPattern: $0)) }) {
        failsAtText(event.lowerBound + place)
      }
      return
    }
    let range = event
    let start = characters.count
    characters.append(contentsOf: text.lazy.map { UInt8(bitPattern: $0) })
    let isLiteral =
      range.count == text.count && self.text.bytes[range].elementsEqual(characters[start...])
    if isLiteral, let last = pieces.last, last.isLiteral,
      last.source.upperBound == range.lowerBound
    {
      pieces[pieces.count - 1].source = last.source.lowerBound..<range.upperBound
    } else {
      pieces.append(TextPiece(start: start, source: range, isLiteral: isLiteral))
    }
  }

  private func failsAtText(_ offset: Int) {
    if let refusal = text.preprocessorRefusal(at: offset, file: file) {
      fails(refusal, at: offset)
    } else {
      fails("text outside of a value")
    }
  }

  private func ends() {
    guard failure == nil, let ended = open.popLast() else { return }
    let end = event
    let range = ended.tag.lowerBound..<max(ended.tag.upperBound, end.upperBound)
    switch ended.element {
    case .plist:
      if root == nil { fails("the list is empty") }
    case .key:
      endKey(range)
    case .dict:
      if let key = ended.key {
        fails("the key `\(key.text)` has no value", at: key.range.lowerBound)
        return
      }
      let entries = ended.entries.indices.lazy.filter { index in
        ended.places[ended.entries[index].key] == index
      }.map { ended.entries[$0] }
      add(.dictionary(PropertyListDictionary(Array(entries))), ended, range, end)
    case .array: add(.array(ended.elements), ended, range, end)
    case .yes: add(.boolean(true), ended, range, end)
    case .no: add(.boolean(false), ended, range, end)
    case .string: add(.string(String(decoding: characters, as: UTF8.self)), ended, range, end)
    case .integer:
      let number = Self.integer(trimmedText)
      addScalar(number.map { .integer($0) }, "an integer of 64 bits", ended, range, end)
    case .real:
      addScalar(Double(trimmedText).map { .real($0) }, "a number", ended, range, end)
    case .data:
      let content = ended.tag.upperBound..<max(end.lowerBound, ended.tag.upperBound)
      addScalar(data(content, at: ended.tag.lowerBound), "Base64", ended, range, end)
    case .date:
      let date = try? Date(trimmedText, strategy: .iso8601)
      addScalar(
        date.map { .date($0.timeIntervalSinceReferenceDate) },
        "a date such as `2026-01-31T12:00:00Z`", ended, range, end)
    }
  }

  private func endKey(_ range: Range<Int>) {
    let text = String(decoding: characters, as: UTF8.self)
    let last = open.count - 1
    if let earlier = open[last].places[text] {
      let line = self.text.position(of: open[last].entries[earlier].keyRange.lowerBound).line
      warn(
        .repeatedKey, "the key `\(text)` repeats the key on line \(line); the last value is used",
        at: range.lowerBound)
    }
    open[last].key = (text, range)
  }

  private func add(
    _ kind: PropertyListValue.Kind, _ ended: Open, _ range: Range<Int>, _ end: Range<Int>
  ) {
    let content = ended.tag.upperBound..<max(end.lowerBound, ended.tag.upperBound)
    let value = PropertyListValue(
      kind, range: range, content: content, pieces: ended.element == .string ? pieces : [])
    guard !open.isEmpty else {
      root = value
      return
    }
    let last = open.count - 1
    switch open[last].element {
    case .dict:
      guard let key = open[last].key else { return }
      open[last].places[key.text] = open[last].entries.count
      open[last].entries.append(.init(key: key.text, keyRange: key.range, value: value))
      open[last].key = nil
    case .array: open[last].elements.append(value)
    case .plist: root = value
    // Unreachable: ``admits(_:)`` rejects values inside these elements.
    case .key, .string, .integer, .real, .data, .date, .yes, .no: break
    }
  }

  private var trimmedText: String {
    String(decoding: characters, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Adds the value of a text element. If `kind` is nil, the text is invalid, and the parse fails.
  private func addScalar(
    _ kind: PropertyListValue.Kind?, _ expected: String, _ ended: Open, _ range: Range<Int>,
    _ end: Range<Int>
  ) {
    guard let kind else {
      fails(
        "expected \(expected), found `\(trimmedText.prefix(40))`", at: ended.tag.lowerBound)
      return
    }
    add(kind, ended, range, end)
  }

  /// Returns the decoded content of a `<data>` element. Like Apple's reader, this method reads the raw bytes of the
  /// file and does not expand entities.
  private func data(_ content: Range<Int>, at offset: Int) -> PropertyListValue.Kind? {
    guard let data = ListData(text.bytes[content]) else { return nil }
    if let skipped = data.skipped {
      warn(
        .oddData, "the data contains `\(skipped)`, which is not Base64 and is skipped", at: offset)
    }
    if !data.rest.isEmpty {
      warn(
        .oddData,
        "the data ends with `\(data.rest)`, an incomplete group of four characters, which is ignored",
        at: offset)
    }
    return .data(data.bytes)
  }

  private static func integer(_ text: String) -> Int? {
    let isNegative = text.hasPrefix("-")
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard digits.lowercased().hasPrefix("0x") else { return Int(text) }
    // A second sign is not allowed after the prefix.
    guard digits.dropFirst(2).first?.isHexDigit == true else { return nil }
    return Int((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
  }

  // MARK: Errors

  /// Stops the parse with an error. Only the first error is kept.
  ///
  /// - Parameter offset: The position of the error; nil for Expat's current event.
  private func fails(_ message: String, at offset: Int? = nil) {
    fail(error(message, at: offset ?? event.lowerBound))
  }

  private func warn(_ rule: BundleRule, _ message: String, at offset: Int) {
    findings.append(BundleFinding(rule, file: file, at: text.position(of: offset), message))
  }

  private func fail(_ error: BundleError) {
    if failure == nil { failure = error }
    cexpat_stop(parser)
  }

  private func error(_ message: String, at offset: Int) -> BundleError {
    let position = text.position(of: offset)
    return BundleError(
      file: file, line: position.line, column: position.column, message: message)
  }

  private static func error(error: XMLSyntaxError, text: ListText, file: String) -> BundleError {
    let place = text.position(of: error.place(in: text))
    return BundleError(
      file: file, line: place.line, column: place.column, message: error.message(in: text))
  }
}

// MARK: - Data

/// Decodes the text of a `<data>` element, and records the characters that were ignored.
///
/// Source: `parseDataTag` in CFPropertyList.c of CoreFoundation.
private struct ListData {
  private(set) var bytes: [UInt8] = []
  /// The first character that is neither Base64 nor white space; nil if there is none.
  private(set) var skipped: Character?
  /// The characters at the end that do not fill a group of four. They are ignored.
  private(set) var rest = ""

  private static let digits: [UInt8: UInt32] = {
    var digits = Dictionary(
      uniqueKeysWithValues: Base64.alphabet.enumerated().map { ($0.element, UInt32($0.offset)) })
    digits[UInt8(ascii: "=")] = 0
    return digits
  }()

  /// Decodes the text. Nil if a byte is not ASCII or is `<`.
  init?(_ text: some Sequence<UInt8>) {
    var group: UInt32 = 0
    var padding = 0
    for byte in text {
      guard byte < 0x80, byte != UInt8(ascii: "<") else { return nil }
      let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
      if byte == UInt8(ascii: "=") { padding += 1 } else if !isSpace { padding = 0 }
      guard let digit = Self.digits[byte] else {
        if !isSpace, skipped == nil { skipped = Character(Unicode.Scalar(byte)) }
        continue
      }
      group = group << 6 | digit
      rest.unicodeScalars.append(Unicode.Scalar(byte))
      guard rest.utf8.count == 4 else { continue }
      rest = ""
      let made = [group >> 16, group >> 8, group].map { UInt8(truncatingIfNeeded: $0) }
      bytes += made.prefix(max(1, 3 - padding))
      group = 0
    }
  }
}

// MARK: - Syntax errors

/// A syntax error that Expat found, with the context for explaining it to the list's author.
private struct XMLSyntaxError {
  var code: XML_Error
  /// The byte offset where Expat stopped.
  var offset: Int
  /// The elements that are open at this offset, with the byte offsets at which they start.
  var open: [(name: String, start: Int)]

  /// Returns the byte offset to report, which can be before the offset where Expat stopped.
  func place(in text: ListText) -> Int {
    switch code {
    case XML_ERROR_INVALID_TOKEN where isAmpersand(offset - 1, in: text): offset - 1
    // Expat reports the offset of the name.
    case XML_ERROR_TAG_MISMATCH: max(0, offset - "</".utf8.count)
    default:  // open: any other code of Expat
      offset
    }
  }

  func message(in text: ListText) -> String {
    switch code {
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR,
      XML_ERROR_UNCLOSED_CDATA_SECTION:
      return cut(in: text)
    case XML_ERROR_TAG_MISMATCH:
      let found = Self.excerpt(of: text, from: place(in: text)) { $0 == UInt8(ascii: ">") }
      guard let last = open.last else { return "unexpected `\(found)>`" }
      let line = text.position(of: last.start).line
      return "expected `</\(last.name)>`, which ends the `<\(last.name)>` of line \(line), "
        + "found `\(found)>`"
    case XML_ERROR_INVALID_TOKEN: return invalidToken(in: text)
    case XML_ERROR_UNDEFINED_ENTITY:
      let name = Self.excerpt(of: text, from: offset + 1) { $0 == UInt8(ascii: ";") }
      return Self.unknownEntity(name)
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return "text after the end of the list"
    case XML_ERROR_AMPLIFICATION_LIMIT_BREACH: return "the list's entities expand without end"
    default:  // open: any other code of Expat
      let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "code \(code.rawValue)"
      return "malformed XML: \(reason.lowercased())"
    }
  }

  static func unknownEntity(_ name: String) -> String {
    "unknown entity `&\(name);`: only `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` and numbers "
      + "are known"
  }

  private func cut(in text: ListText) -> String {
    guard let last = open.last else { return "the list is truncated: `</plist>` is missing" }
    let line = text.position(of: last.start).line
    return "the list is truncated: the `<\(last.name)>` of line \(line) does not end"
  }

  private func invalidToken(in text: ListText) -> String {
    if isAmpersand(offset, in: text) || isAmpersand(offset - 1, in: text) {
      return "`&` must be written `&amp;`"
    }
    guard text.bytes.indices.contains(offset) else { return "malformed XML" }
    switch text.bytes[offset] {
    case UInt8(ascii: "<"): return "`<` must be written `&lt;`"
    case 0x80...: return "a byte that is not UTF-8"
    case ..<0x20: return "a control character, which XML does not allow"
    default:  // open: any other byte
      let found = Self.excerpt(of: text, from: place(in: text)) { $0 < 0x20 }
      return "malformed XML at `\(found)`"
    }
  }

  private func isAmpersand(_ offset: Int, in text: ListText) -> Bool {
    text.bytes.indices.contains(offset) && text.bytes[offset] == UInt8(ascii: "&")
  }

  /// Returns an excerpt of the text, at most 40 bytes.
  private static func excerpt(
    of text: ListText, from offset: Int, until isEnd: (UInt8) -> Bool
  ) -> String {
    String(
      decoding: text.bytes.dropFirst(max(0, offset)).prefix(40).prefix { !isEnd($0) },
      as: UTF8.self)
  }
}
