extension Unicode.Scalar {
  /// Whether a terminal shows the character and does nothing else: it is no control, ends no line or paragraph, and
  /// does not turn the direction of the text around it.
  ///
  /// Joiners, with which emoji and Persian words are composed, are printable; tags, with which the flags of a few
  /// regions are composed, are not.
  public var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    case .format: properties.isJoinControl
    default:  // open: any other category
      true
    }
  }
}

extension StringProtocol {
  /// The text with `replacement` in the place of each character that is not printable.
  public func printable(replacing replacement: Unicode.Scalar) -> String {
    guard !unicodeScalars.allSatisfy(\.isPrintable) else { return String(self) }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.isPrintable ? scalar : replacement) }
    return String(text)
  }

  /// The text with each character that is not printable written `\u{1b}`.
  ///
  /// - Parameter kept: characters that stay as they are.
  public func escapingUnprintable(except kept: Set<Unicode.Scalar> = []) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isPrintable || kept.contains(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }
}

/// A place in markup, by which the text that stands there is escaped.
package enum MarkupPlace: Sendable {
  /// Between tags of XML 1.0.
  case xmlText
  /// Between the double quotes of an attribute of XML 1.0.
  case xmlAttribute
  /// Between tags or quotes of HTML.
  case html
}

extension String {
  /// The text as it is written at `place`. U+FFFD stands for each character that XML cannot hold (section 2.2) and, in
  /// HTML, for each control character except tab and line feed.
  package func escaped(in place: MarkupPlace) -> String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"" where place != .xmlText: text += "&quot;"
      case "'" where place == .html: text += "&#39;"
      // An XML parser makes a line feed of a return, and a space of either in an attribute (sections 2.11 and 3.3.3).
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
}

extension String {
  /// The text as a string of Graphviz, which reads entities in it; of a long text its beginning.
  package var quotedForGraphviz: String {
    "\""
      + shortened.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "&": "&amp;"
        case "\n": "\\n"
        case "\u{0}"..<" ", "\u{7F}": "\u{FFFD}"
        default:  // open: any other character
          String(scalar)
        }
      }.joined() + "\""
  }

  /// The text in a label of Mermaid, which takes entities for what it would read as its own; of a long text its beginning.
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

  /// As much of the text as fits into a label.
  private var shortened: [Unicode.Scalar] {
    let most = 500
    let scalars = Array(unicodeScalars.prefix(most + 1))
    return scalars.count > most ? scalars.prefix(most) + ["…"] : scalars
  }
}

/// Escapes in URLs: `%` and the two digits of a byte (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// `bytes` with an escape for each that is no unreserved character (section 2.3); digits are capitals.
  ///
  /// - Parameter kept: other bytes that stay as they are.
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

  /// The bytes that `text` stands for, with its escapes resolved.
  ///
  /// - Returns: nil where a `%` has no two digits after it. A sign is no digit, although numbers may have one.
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
