extension Unicode.Scalar {
  /// Whether a terminal displays the character and does nothing else. Control characters, line and paragraph separators
  /// and characters that change the text direction are not printable.
  ///
  /// Joiners are printable, because emoji and Persian words need them. Tag characters are not printable, although the
  /// flag emoji of some regions need them.
  public var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: properties.isJoinControl
    default:  // open: any other category
      true
    }
  }
}

extension String.UnicodeScalarView {
  /// Whether a `[` directly after this text would begin a command to a CI system. Azure Pipelines and GitHub Actions
  /// look for `##vso[` and `##[` anywhere in a program's output.
  fileprivate var beginsCommand: Bool {
    let end = String(String.UnicodeScalarView(suffix(5))).lowercased()
    return end.hasSuffix("##") || end == "##vso"
  }
}

extension StringProtocol {
  /// Returns the text with `replacement` in place of each unprintable character. Also replaces each `[` that would
  /// begin a command to a CI system, such as `##[`.
  public func printable(replacing replacement: Unicode.Scalar) -> String {
    // Reports print millions of such texts.
    if isPlain { return String(self) }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      let isHarmless = scalar.isPrintable && (scalar != "[" || !text.beginsCommand)
      text.append(isHarmless ? scalar : replacement)
    }
    return String(text)
  }

  /// Whether the text consists of printable ASCII characters other than `#`, which can begin a command.
  private var isPlain: Bool {
    utf8.allSatisfy { (0x20..<0x7f).contains($0) && $0 != UInt8(ascii: "#") }
  }

  /// Escapes each unprintable character in the form `\u{1b}`. Also escapes each `[` that would begin a command to a CI
  /// system, such as `##[`.
  ///
  /// - Parameter kept: Unprintable characters that are not escaped.
  public func escapingUnprintable(except kept: Set<Unicode.Scalar> = []) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      let isHarmless = scalar != "[" || !text.unicodeScalars.beginsCommand
      if isHarmless, scalar.isPrintable || kept.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }
}

extension String {
  /// The text as a single word for the POSIX shell, quoted if necessary.
  package var quotedForShell: String {
    let isPlain = !isEmpty && utf8.allSatisfy { Self.plainInShell.contains($0) }
    guard !isPlain else { return self }
    // Works on bytes, because a combining mark after a quote forms another character with it.
    var quoted = Array("'".utf8)
    for byte in utf8 {
      quoted += byte == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [byte]
    }
    return String(decoding: quoted + [UInt8(ascii: "'")], as: UTF8.self)
  }

  private static let plainInShell = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-=:,+@%".utf8)
}

/// A position in markup, which determines the escaping.
package enum MarkupPlace: Sendable {
  case xmlText
  /// In an XML 1.0 attribute with double quotes.
  case xmlAttribute
  /// Between tags or in a quoted attribute in HTML.
  case html
}

extension String {
  /// Escapes the text for `place`. Replaces U+FFFE, U+FFFF and each control character that XML 1.0 forbids (section
  /// 2.2) with U+FFFD. In HTML, replaces all control characters except tab and line feed.
  package func escaped(in place: MarkupPlace) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where place != .xmlText: text += "&quot;"
      case "'" where place == .html: text += "&#39;"
      // XML parsers convert a carriage return to a line feed, and line breaks and tabs in attributes to
      // spaces (sections 2.11 and 3.3.3).
      case "\r" where place != .html, "\t" where place == .xmlAttribute,
        "\n" where place == .xmlAttribute:
        text += "&#\(scalar.value);"
      case "\u{0}"..."\u{8}", "\u{B}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      case "\u{7F}"..."\u{9F}" where place == .html: text += "\u{FFFD}"
      default:  // open: any other character
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// The text as a quoted Graphviz string, truncated after 500 scalars. `&` is escaped, because Graphviz interprets
  /// entities.
  package var quotedForGraphviz: String {
    "\""
      + shortened.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "&": "&amp;"
        case "\n": "\\n"
        default:  // open: any other character
          scalar.isPrintable ? String(scalar) : "\u{FFFD}"
        }
      }.joined() + "\""
  }

  /// The text for a Mermaid label, truncated after 500 scalars. Entities replace all characters that Mermaid could
  /// interpret.
  package var escapedForMermaid: String {
    shortened.map { scalar in
      switch scalar {
      case "\n": "<br>"
      case "a"..."z", "A"..."Z", "0"..."9", " ", ".", ",", "-", "_", "/", "@", "(", ")":
        String(scalar)
      default:  // open: any other character
        "#\(scalar.value);"
      }
    }.joined()
  }

  /// The first 500 scalars of the text, the maximum for a label, followed by `…` if the text is longer.
  private var shortened: [Unicode.Scalar] {
    let most = 500
    let scalars = Array(unicodeScalars.prefix(most + 1))
    return scalars.count > most ? scalars.prefix(most) + ["…"] : scalars
  }
}

/// Percent-encoding in URLs (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Encodes all bytes except unreserved characters (section 2.3), with upper-case digits.
  ///
  /// - Parameter kept: Further bytes that are not encoded.
  package static func encoded(_ bytes: some Sequence<UInt8>, except kept: [UInt8] = []) -> String {
    bytes.reduce(into: "") { text, byte in
      if isUnreserved(byte) || kept.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + Hexadecimal.text([byte]).uppercased()
      }
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default:  // open: any other byte
      false
    }
  }

  /// Returns the bytes; nil if a `%` is not followed by two hexadecimal digits. Signs, as in `%+1`, are not digits.
  package static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value),
        let low = rest.popFirst().flatMap(Hexadecimal.value)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
