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
    let excess = text.utf8.count - Self.limit
    // A character that is cut in the middle goes with it.
    byGuest[guest] =
      excess > 0 ? String(decoding: text.utf8.dropFirst(excess), as: UTF8.self) : text
  }

  /// What nobody has looked at; `""` where there is nothing.
  func text(of guest: String) -> String { byGuest[guest] ?? "" }

  /// The lines that nobody has looked at, without the last line break; `""` where there are none.
  mutating func take(of guest: String) -> String {
    let text = byGuest.removeValue(forKey: guest) ?? ""
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
