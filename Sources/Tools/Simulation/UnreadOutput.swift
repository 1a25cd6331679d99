internal import Host
internal import Model

/// What guests have written since steps last looked at it.
struct UnreadOutput {
  private var byGuest: [String: String] = [:]

  /// The number of bytes that are kept of a guest; what comes then is not.
  static let limit = 64 << 10

  mutating func append(_ writing: GuestWriting, of guest: String) {
    let guest = InstanceName(guest)?.extension ?? guest
    var text = byGuest[guest] ?? ""
    guard text.utf8.count < Self.limit else { return }
    switch writing {
    case .stream(let part): text += part
    case .log(let lines):
      if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
      text += lines + "\n"
    }
    byGuest[guest] = text
  }

  /// The lines that nobody has looked at, without the last line break; `""` where there are none.
  mutating func take(of guest: String) -> String {
    let text = byGuest.removeValue(forKey: guest) ?? ""
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
