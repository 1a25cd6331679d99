internal import Host
internal import Model

/// What guests have written since steps last looked at it.
struct UnreadOutput {
  private var byGuest: [String: String] = [:]

  /// The number of bytes that are kept of a guest, the last ones.
  static let limit = 64 << 10

  mutating func append(_ writing: GuestWriting, of guest: String) {
    let guest = InstanceName(guest)?.extension ?? guest
    var text = byGuest[guest] ?? ""
    switch writing {
    case .stream(let part): text += part
    case .log(let lines):
      if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
      text += lines + "\n"
    }
    // Not each time that there is more: the rest is copied.
    byGuest[guest] = text.utf8.count > 2 * Self.limit ? Self.end(of: text) : text
  }

  /// The last bytes; a character that is cut in the middle is not whole.
  private static func end(of text: String) -> String {
    text.utf8.count > limit ? String(decoding: text.utf8.suffix(limit), as: UTF8.self) : text
  }

  /// What nobody has looked at; `""` where there is nothing.
  func text(of guest: String) -> String { Self.end(of: byGuest[guest] ?? "") }

  /// The lines that nobody has looked at, without the last line break; `""` where there are none.
  mutating func take(of guest: String) -> String {
    let text = Self.end(of: byGuest.removeValue(forKey: guest) ?? "")
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
