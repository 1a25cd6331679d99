internal import Encodings

/// A format of strings.
///
/// Source: JSON Schema 2020-12, validation, section 7.3.
enum TextFormat: String, Sendable, CaseIterable {
  case date, time, email, hostname, ipv4, ipv6, uri, uuid
  case dateTime = "date-time"

  var noun: String {
    switch self {
    case .date: "a day such as `2026-01-31`"
    case .time: "a time of day such as `12:00:00Z`"
    case .dateTime: "a date such as `2026-01-31T12:00:00Z`"
    case .email: "an e-mail address"
    case .hostname: "a host name"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .uri: "a URI with its scheme, such as `https://example.com`"
    case .uuid: "a UUID"
    }
  }

  var sample: String {
    switch self {
    case .date: "2026-01-31"
    case .time: "12:00:00Z"
    case .dateTime: "2026-01-31T12:00:00Z"
    case .email: "someone@example.com"
    case .hostname: "server.example.com"
    case .ipv4: "192.0.2.1"
    case .ipv6: "2001:db8::1"
    case .uri: "https://example.com"
    case .uuid: "00000000-0000-4000-8000-000000000000"
    }
  }

  func accepts(_ text: String) -> Bool {
    switch self {
    case .date: DateText.isDate(text)
    case .time: DateText.isTime(text)
    case .dateTime: DateText.seconds(of: text) != nil
    case .email: Self.isAddress(text)
    case .hostname: Self.isHostName(text[...])
    case .ipv4: Self.isIPv4(text[...])
    case .ipv6: Self.isIPv6(text)
    case .uri: Self.isURI(text)
    case .uuid: text.isGUID
    }
  }

  /// Returns whether the text is an email address: a local part, `@` and a host name.
  private static func isAddress(_ text: String) -> Bool {
    guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return false }
    let local = text[..<at]
    return local.allSatisfy { !$0.isWhitespace } && isHostName(text[text.index(after: at)...])
  }

  /// Returns whether the text consists of labels of letters, digits and inner hyphens, with at most 63
  /// characters each (RFC 1123).
  private static func isHostName(_ text: Substring) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isIPv4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && (part.count == 1 || part.first != "0") && Int(part).map { $0 < 256 } == true
      }
  }

  /// Returns whether the text is an IPv6 address (RFC 4291): eight groups of hexadecimal digits, with at most
  /// one `::`.
  ///
  /// The last two groups may be an IPv4 address.
  private static func isIPv6(_ text: String) -> Bool {
    var halves: [Substring] = [text[...]]
    if let gap = text.firstRange(of: "::") {
      halves = [text[..<gap.lowerBound], text[gap.upperBound...]]
      guard !halves[1].contains("::"), !halves[1].hasPrefix(":") else { return false }
    }
    var count = 0
    for (place, half) in halves.enumerated() where !half.isEmpty {
      let groups = half.split(separator: ":", omittingEmptySubsequences: false)
      for (index, group) in groups.enumerated() {
        let isLast = place == halves.count - 1 && index == groups.count - 1
        if isLast, isIPv4(group) {
          count += 2
        } else {
          guard (1...4).contains(group.count), group.utf8.allSatisfy(isHexadecimal) else {
            return false
          }
          count += 1
        }
      }
    }
    return halves.count == 2 ? count < 8 : count == 8
  }

  /// Returns whether the text consists of a scheme, a colon and characters that are valid in a URI (RFC
  /// 3986).
  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let rest = text[text.index(after: colon)...]
    guard text[..<colon].isURLScheme, !rest.isEmpty, rest != "//" else { return false }
    return rest.utf8.allSatisfy { byte in
      isAlphanumeric(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false  // open: any other byte
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false  // open: any other byte
    }
  }
}

/// A parser and formatter for dates and times in the formats of RFC 3339.
enum DateText {
  /// The number of seconds between the epochs of 1970 and 2001. Property lists use the epoch of 2001.
  private static let epoch = 978_307_200.0

  /// Parses a text such as `2026-01-31T12:00:00Z` into seconds since 2001-01-01T00:00:00Z. Returns
  /// nil if the format is wrong.
  static func seconds(of text: String) -> Double? {
    guard let separator = text.firstIndex(where: { "Tt ".contains($0) }),
      let days = days(of: text[..<separator]),
      let time = secondsOfDay(of: text[text.index(after: separator)...])
    else { return nil }
    return Double(days) * 86_400 + time - epoch
  }

  static func isDate(_ text: String) -> Bool { days(of: text[...]) != nil }

  /// Returns whether `text` is a time of day with an offset, such as `12:00:00Z`.
  static func isTime(_ text: String) -> Bool { secondsOfDay(of: text[...]) != nil }

  /// Returns a date in the property list format `2026-01-31T12:00:00Z`, in whole seconds.
  ///
  /// Times outside the years with four digits are clamped.
  static func text(of seconds: Double) -> String {
    let range = -62_135_596_800.0...253_402_300_799.0
    let finite = seconds.isNaN ? 0 : seconds
    let total = min(max((finite + epoch).rounded(.down), range.lowerBound), range.upperBound)
    let days = (total / 86_400).rounded(.down)
    let rest = Int(total - days * 86_400)
    let (year, month, day) = CivilDate.date(ofDay: Int(days))
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
      + "T\(padded(rest / 3_600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Returns the number of days from 1970-01-01 to a date such as `2026-01-31`; nil for any other text.
  private static func days(of text: Substring) -> Int? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = digits(parts[0], 4), let month = digits(parts[1], 2),
      let day = digits(parts[2], 2)
    else { return nil }
    return CivilDate.day(ofDate: year, month, day)
  }

  /// Returns the number of seconds since midnight UTC for a time such as `12:00:00.5+01:00`; nil for any other text.
  /// Because of the offset, the result may be outside the day.
  private static func secondsOfDay(of text: Substring) -> Double? {
    guard let zone = text.firstIndex(where: { "Zz+-".contains($0) }),
      let offset = offset(text[zone...])
    else { return nil }
    let parts = text[..<zone].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = digits(parts[0], 2), let minute = digits(parts[1], 2),
      let second = digits(parts[2].prefix(2), 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    let rest = parts[2].dropFirst(2)
    if !rest.isEmpty {
      guard rest.first == ".", rest.count > 1, rest.dropFirst().allSatisfy(isDigit),
        let value = Double("0\(rest)")
      else { return nil }
      fraction = value
    }
    return Double(hour * 3_600 + minute * 60 + second - offset) + fraction
  }

  /// Returns the number of seconds by which a time zone is ahead of UTC; nil if the text is not an offset.
  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" || text == "z" { return 0 }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hours = digits(parts[0], 2), let minutes = digits(parts[1], 2),
      hours < 24, minutes < 60
    else { return nil }
    return (text.first == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func digits(_ text: Substring, _ count: Int) -> Int? {
    text.count == count && text.allSatisfy(isDigit) ? Int(text) : nil
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
