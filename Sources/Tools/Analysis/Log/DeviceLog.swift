import Encodings
import GraphDocuments
package import Policy

/// Formats the effective policy like the Intune App SDK's diagnostic log.
package enum DeviceLog {
  /// Returns indented JSON as in a device's log, with one name on each line, sorted by name, and a final line break.
  ///
  /// The SDK logs some names only if it has received a value. Such a name is omitted if the policy has no value for it.
  package static func text(of settings: Settings) -> String {
    let lines = LogField.all.compactMap { _, field in
      field.value(settings).map { "    \"\(field.name)\" : \(field.spelling(of: $0))" }
    }
    return "{\n  \"IntuneMAMPolicies\" : {\n" + lines.joined(separator: ",\n") + "\n  }\n}\n"
  }
}

// MARK: - Reading

/// Finds policies in a pasted diagnostic log.
///
/// Entries may be JSON (`"Name" : 1,`), property list (`Name = 1;`) or `Name: 1`, in any order and with any
/// text around them.
struct LogReader {
  /// The entries for one policy in a log. A log contains a block for each app and account.
  struct Block {
    var entries: [String: Entry] = [:]
    /// The line that contains the block's first name.
    var line = 0
    /// Whether the log truncates the block. If so, a closing brace or the end of the last value is
    /// missing, or a mark shows the cut.
    var isTruncated = false
    /// The smallest number of open braces around any entry of the block.
    fileprivate var depth = Int.max
    /// Whether a brace around the block has been closed after the block's last entry.
    fileprivate var isClosed = false
  }

  struct Entry {
    var text: String
    var line: Int
  }

  /// Returns the blocks in a log. A repeated name starts a new block.
  static func blocks(in bytes: [UInt8]) -> [Block] {
    var reader = LogReader(scalars: scalars(of: bytes))
    reader.read()
    reader.finishBlock()
    return reader.blocks.filter { !$0.entries.isEmpty }
  }

  /// Decodes a log in any encoding that JSON permits. Malformed bytes are replaced.
  private static func scalars(of bytes: [UInt8]) -> [Unicode.Scalar] {
    (try? TextDecoding.scalars(of: bytes))
      ?? Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var line = 1
  private var blocks = [Block()]
  /// The number of open braces. It is negative if the log closes braces that were opened before its beginning.
  private var depth = 0

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func advance() {
    if next == "\n" { line += 1 }
    index += 1
  }

  private mutating func read() {
    while let scalar = next {
      guard Self.isWordScalar(scalar) else {
        advance(scalar)
        advance()
        continue
      }
      let (word, wordLine) = (consume(while: Self.isWordScalar), line)
      if word.lowercased() == "truncated" { markTruncated() }
      guard let field = LogField.byName[word.lowercased()], let text = value(of: field) else {
        continue
      }
      // If the log ends inside braces, the last value may be incomplete.
      guard next != nil || depth == 0 else {
        markTruncated()
        return
      }
      add(Entry(text: text, line: wordLine), of: field)
    }
  }

  /// Counts braces, and recognises `<…>`, with which the system's log marks a truncated message.
  private mutating func advance(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "{": depth += 1
    case "}":
      depth -= 1
      let last = blocks.count - 1
      guard !blocks[last].entries.isEmpty, depth < blocks[last].depth else { return }
      blocks[last].isClosed = true
      // This brace was opened before the log begins.
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

  /// Marks the last block as truncated if a brace around it does not close.
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

  /// Reads the value after a name. Returns nil if neither `=` nor `:` follows.
  private mutating func value(of field: LogField) -> String? {
    skip(" \t\"'\\")
    guard next == "=" || next == ":" else { return nil }
    skip("=:> \t\\")
    guard let quote = next, quote == "\"" || quote == "'" else { return bareValue(of: field) }
    advance()
    let text = consume { $0 != quote && $0 != "\n" }
    return text.filter { $0 != "\\" }.trimmed
  }

  /// Reads an unquoted value. In lists, semicolons separate elements; elsewhere they end the value.
  private mutating func bareValue(of field: LogField) -> String {
    if case .list = field.kind { return consume { !"\r\n,}".unicodeScalars.contains($0) }.trimmed }
    return consume { !"\r\n,;}]".unicodeScalars.contains($0) }.trimmed
  }

  private mutating func skip(_ set: String) {
    while let next, set.unicodeScalars.contains(next) { advance() }
  }

  private mutating func consume(while holds: (Unicode.Scalar) -> Bool) -> String {
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
