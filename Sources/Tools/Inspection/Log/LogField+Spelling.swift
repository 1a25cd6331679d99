import Model

extension LogField {
  /// The value in JSON as the SDK writes it.
  func spelling(of value: LogValue) -> String {
    let text =
      switch (value, kind) {
      case (.flag(let flag), _): flag ? "true" : "false"
      case (.number(let number), _): "\(number)"
      case (.version(let version), .version(let none)): version?.description ?? none
      case (.version(let version), _): version?.description ?? ""
      case (.list(let words), .list(let separator)):
        words.sorted().map { "\($0)\(separator)" }.joined()
      case (.list(let words), _): words.sorted().joined(separator: ";")
      case (.text(let text), _), (.unreadable(let text), _): text
      }
    let isBare =
      switch value {
      case .flag, .number: !isQuoted
      case .version, .text, .list, .unreadable: false
      }
    return isBare ? text : "\"\(Self.escape(text))\""
  }

  /// The text with escapes as in the SDK's JSON, slashes included.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if "\"\\/".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// The value of a log's text; nil where the text stands for no value.
  func value(from text: String) -> LogValue? {
    let word = text.lowercased()
    if ["null", "<null>", "(null)", "nil"].contains(word) { return nil }
    switch kind {
    case .flag:
      if ["1", "true", "yes"].contains(word) { return .flag(true) }
      if ["0", "false", "no"].contains(word) { return .flag(false) }
    case .level, .count, .locations:
      if word.isEmpty { return nil }
      if let number = Int(word) { return .number(number) }
    case .version:
      if word.isEmpty { return .version(nil) }
      if let version = Version(word) { return .version(Self.bound(version)) }
    case .text: return .text(word)
    case .list(let separator):
      let words = word.split(separator: separator).map { $0.filter { !$0.isWhitespace } }
      return .list(Set(words.filter { !$0.isEmpty }))
    }
    return .unreadable(text)
  }

  /// The value in words, such as `Policy managed apps` or `30 minutes`.
  func words(for value: LogValue) -> String {
    switch (value, kind) {
    case (.flag(let flag), .flag(let off, let on)): return flag ? on : off
    case (.number(let number), .level(let words)): return words[number] ?? "unknown value \(number)"
    case (.number(let number), .count(let unit)): return "\(number) \(unit)"
    case (.number(let number), .locations(let names)):
      let chosen = names.keys.sorted().filter { number & $0 != 0 }.compactMap { names[$0] }
      return chosen.isEmpty ? "none" : chosen.joined(separator: ", ")
    case (.version(let version), _): return version?.description ?? "none"
    case (.list(let list), _):
      return list.isEmpty ? "none" : list.sorted().joined(separator: ", ")
    case (.text(let text), _): return text.isEmpty ? "none" : text
    case (.unreadable(let text), _): return "unreadable `\(text)`"
    case (.flag(let flag), _): return "\(flag)"
    case (.number(let number), _): return "\(number)"
    }
  }

  /// Whether two values mean the same: of a sum of locations, only the documented ones count.
  func isSame(_ left: LogValue, _ right: LogValue) -> Bool {
    if case .locations(let names) = kind, case .number(let left) = left,
      case .number(let right) = right
    {
      let mask = names.keys.reduce(0, |)
      return left & mask == right & mask
    }
    return left == right
  }
}
