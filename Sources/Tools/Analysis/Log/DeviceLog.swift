import GraphDocuments
import JSON
package import Policy

/// The effective policy as the Intune App SDK writes it into a device's diagnostic log.
package enum DeviceLog {
  /// Indented JSON as in a device's log, one name on a line, in alphabetical order; ends with a line break.
  ///
  /// Names that the SDK logs only where a value is delivered are missing without one.
  package static func text(of settings: Settings) -> String {
    let lines = LogField.all.compactMap { field in
      field.value(settings).map { "    \"\(field.name)\" : \(field.spelling(of: $0))" }
    }
    return "{\n  \"IntuneMAMPolicies\" : {\n" + lines.joined(separator: ",\n") + "\n  }\n}\n"
  }
}

// MARK: - Reading

/// Finds the policies in a diagnostic log that somebody pasted: `"Name" : 1,` of JSON, `Name = 1;` of a property list,
/// or `Name: 1`, in any order, with any text before, between and after.
struct LogReader {
  /// The names of one policy in a log. Logs hold one for each app and account.
  struct Block {
    var entries: [String: Entry] = [:]
    /// The line of the block's first name.
    var line = 0
    /// Whether the log cuts off the block: its opening or closing brace is missing, the last value is incomplete, or a
    /// mark shows the cut.
    var isTruncated = false
    /// The number of open braces around the block.
    fileprivate var depth = Int.max
    /// Whether the brace around the block has closed since its last name.
    fileprivate var isClosed = false
  }

  struct Entry {
    var text: String
    var line: Int
  }

  /// The blocks of a log: a new one begins where a name comes again.
  static func blocks(in bytes: [UInt8]) -> [Block] {
    var reader = LogReader(scalars: scalars(of: bytes))
    reader.read()
    reader.finishBlock()
    return reader.blocks.filter { !$0.entries.isEmpty }
  }

  /// The text of a log, in any encoding that JSON can have; malformed bytes are replaced.
  private static func scalars(of bytes: [UInt8]) -> [Unicode.Scalar] {
    (try? TextDecoding.scalars(of: bytes))
      ?? Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var blocks = [Block()]
  /// The number of open braces; negative where braces were opened before the log begins.
  private var depth = 0

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func advance() {
    if next == "\n" { line += 1 }
    index += 1
  }

  private mutating func read() {
    while let scalar = next {
      guard Self.isWordScalar(scalar) else {
        note(scalar)
        advance()
        continue
      }
      let (word, wordLine) = (take(while: Self.isWordScalar), line)
      if word.lowercased() == "truncated" { markTruncated() }
      guard let field = LogField.byName[word.lowercased()], let text = value(of: field) else {
        continue
      }
      // Where the log ends in braces, the end of the last value may be missing.
      guard next != nil || depth == 0 else {
        markTruncated()
        return
      }
      add(Entry(text: text, line: wordLine), of: field)
    }
  }

  /// Counts braces, and recognises the mark `<…>` of messages that the system's log has cut.
  private mutating func note(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "{": depth += 1
    case "}":
      depth -= 1
      let last = blocks.count - 1
      guard !blocks[last].entries.isEmpty, depth < blocks[last].depth else { return }
      blocks[last].isClosed = true
      // The brace that closes here was opened before the log begins.
      if depth < 0 { blocks[last].isTruncated = true }
    case "…" where index > 0 && scalars[index - 1] == "<": markTruncated()
    default: break  // open: letters
    }
  }

  private mutating func markTruncated() {
    let last = blocks.count - 1
    guard !blocks[last].entries.isEmpty, !blocks[last].isClosed else { return }
    blocks[last].isTruncated = true
  }

  /// Marks the last block as truncated where braces around it do not close.
  private mutating func finishBlock() {
    let last = blocks.count - 1
    guard !blocks[last].entries.isEmpty, !blocks[last].isClosed, blocks[last].depth > 0 else {
      return
    }
    blocks[last].isTruncated = true
  }

  private mutating func add(_ entry: Entry, of field: LogField) {
    if blocks[blocks.count - 1].entries[field.name] != nil {
      finishBlock()
      blocks.append(Block())
    }
    let last = blocks.count - 1
    if blocks[last].entries.isEmpty { blocks[last].line = entry.line }
    blocks[last].entries[field.name] = entry
    blocks[last].depth = min(blocks[last].depth, max(0, depth))
    blocks[last].isClosed = false
  }

  /// The value after a name; nil where neither `=` nor `:` follows.
  private mutating func value(of field: LogField) -> String? {
    skip(" \t\"'\\")
    guard next == "=" || next == ":" else { return nil }
    skip("=:> \t\\")
    guard let quote = next, quote == "\"" || quote == "'" else { return bareValue(of: field) }
    advance()
    let text = take { $0 != quote && $0 != "\n" }
    return text.filter { $0 != "\\" }.trimmed
  }

  /// A value without quotes. Lists hold the semicolons that end other values.
  private mutating func bareValue(of field: LogField) -> String {
    if case .list = field.kind { return take { !"\r\n,}".unicodeScalars.contains($0) }.trimmed }
    return take { !"\r\n,;}]".unicodeScalars.contains($0) }.trimmed
  }

  private mutating func skip(_ set: String) {
    while let next, set.unicodeScalars.contains(next) { advance() }
  }

  private mutating func take(while holds: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let next, holds(next) {
      text.append(next)
      advance()
    }
    return String(text)
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      || ("0"..."9").contains(scalar)
  }
}
