public import Model

/// Who or what has an item.
public enum Holder: Sendable, Equatable {
  /// A guest, as the device knew it at that time.
  case app(Participant)
  case pasteboard
  /// A file, by its path from the device's folder.
  case file(String)
  /// A device that it has come to from another one, by its name.
  case device(String)
  /// A feature of the system or a storage location, by its name; `account` is the location's, where the journal has it.
  case outside(String, account: String?)
}

extension Holder {
  /// Whether `name` is the holder's: that of a guest, a bundle id, or the name of a feature or storage location.
  func isNamed(_ name: String) -> Bool {
    switch self {
    case .app(let participant): participant.guest.isGuest(of: name) || participant.app == name
    case .pasteboard: name == "pasteboard"
    case .file(let path): path == name
    case .device(let device): device == name
    case .outside(let place, _): place == name || text == name
    }
  }

  /// The app that holds the item; nil for a place.
  var participant: Participant? {
    if case .app(let participant) = self { participant } else { nil }
  }
}

extension String {
  /// Whether this is the guest `name`, one of several guests of that app, or a run of that extension.
  func isGuest(of name: String) -> Bool { self == name || withoutCount == name }

  /// The name without the number of one of several guests, or of a run; all of it where it has none.
  var withoutCount: String {
    guard let mark = lastIndex(where: "-#".contains), Int(self[index(after: mark)...]) != nil
    else { return self }
    return String(self[..<mark])
  }
}
