/// Tests of the forms that names take.
package enum Name {
  /// Whether the text consists of letters, digits, `-` and `_`, a letter first.
  static func isValid(_ text: String) -> Bool {
    startsWithLetter(text) && text.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "-_", $0) }
  }

  /// Whether the text consists of at least two parts of letters, digits and `-`, with a dot between them.
  package static func isBundleID(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "-", $0) }
      }
  }

  /// Whether the text consists of parts of letters, digits and `-`, with a dot between them, the last of which begins
  /// with a letter.
  static func isHost(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253 && parts.last.map { startsWithLetter(String($0)) } ?? false
      && parts.allSatisfy { part in
        (1...63).contains(part.utf8.count) && part.first != "-" && part.last != "-"
          && part.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "-", $0) }
      }
  }

  /// Whether the text consists of letters and digits.
  package static func isTeam(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isAlphanumeric)
  }

  /// Whether the text is a URL scheme (RFC 3986, section 3.1).
  static func isScheme(_ text: String) -> Bool {
    startsWithLetter(text) && text.utf8.allSatisfy { isAlphanumeric($0) || isOne(of: "+-.", $0) }
  }

  /// Whether the text consists of hexadecimal digits in groups of 8, 4, 4, 4 and 12.
  static func isGUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Whether the text has one `@` with text before and after it, and no space.
  static func isUPN(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && !text.contains(" ")
  }

  /// Whether the text is a stage's word in capitals, `-` and a number, as `SEND-1`.
  static func isCriterion(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
      && parts[0].utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      && parts[1].utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static func startsWithLetter(_ text: String) -> Bool {
    text.first.map { $0.isASCII && $0.isLetter } ?? false
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber)
  }

  private static func isOne(of marks: StaticString, _ byte: UInt8) -> Bool {
    marks.withUTF8Buffer { $0.contains(byte) }
  }
}
