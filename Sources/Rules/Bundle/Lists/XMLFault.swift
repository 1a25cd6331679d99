internal import CExpat
internal import JSON

/// The reason why Expat refused a text, in words for its author.
struct XMLFault {
  var code: XML_Error
  /// The offset where Expat stopped.
  var offset: Int
  /// The elements that were open there, and the offsets where they begin.
  var open: [(name: String, start: Int)]

  /// The offset to show to the user.
  func place(in text: ListText) -> Int {
    switch code {
    case XML_ERROR_INVALID_TOKEN where isAmpersand(offset - 1, in: text): offset - 1
    // Expat is at the name then.
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
    "unknown entity `&\(name);`: a list has `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` and numbers"
  }

  private func cut(in text: ListText) -> String {
    guard let last = open.last else { return "the list is cut: `</plist>` is missing" }
    let line = text.position(of: last.start).line
    return "the list is cut: the `<\(last.name)>` of line \(line) does not end"
  }

  private func invalidToken(in text: ListText) -> String {
    if isAmpersand(offset, in: text) || isAmpersand(offset - 1, in: text) {
      return "`&` must be written `&amp;`"
    }
    guard text.bytes.indices.contains(offset) else { return "malformed XML" }
    switch text.bytes[offset] {
    case UInt8(ascii: "<"): return "`<` must be written `&lt;`"
    case 0x80...: return "a byte that is not UTF-8"
    case ..<0x20: return "a control character, which XML does not have"
    default:  // open: any other byte
      let found = Self.excerpt(of: text, from: place(in: text)) { $0 < 0x20 }
      return "malformed XML at `\(found)`"
    }
  }

  private func isAmpersand(_ offset: Int, in text: ListText) -> Bool {
    text.bytes.indices.contains(offset) && text.bytes[offset] == UInt8(ascii: "&")
  }

  /// The beginning of a part of the text, at most 40 bytes.
  private static func excerpt(
    of text: ListText, from offset: Int, until isEnd: (UInt8) -> Bool
  ) -> String {
    String(
      decoding: text.bytes.dropFirst(max(0, offset)).prefix(40).prefix { !isEnd($0) },
      as: UTF8.self)
  }
}
