package import Model

/// One movement of data that was allowed: the item that it made, where that came from, and who has it now.
package struct Hop: Sendable, Equatable {
  /// The item's number: that of the request; of several devices, the hop's own among those of all.
  package var number: Int
  /// The place of the request among those of several devices; nil: there is one, and ``number`` is the request's.
  package var place: Place?
  package var operation: Operation
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  package var time: Int
  /// The number of the decision's event in the journal.
  package var event: Int
  /// The items that this one came from; empty where the sender made it, or nobody knows.
  package var sources: [Source]
  /// Who moved it; nil for what came in from outside.
  package var sender: Participant?
  package var holder: Holder
  /// The owner's UPN; `""` where there is none, or it is unknown.
  package var owner: String
  /// Whether the data, or what it came from, were a managed account's.
  package var isManaged: Bool
  /// Whether the holder got ciphertext.
  package var isEncrypted: Bool
  /// Whether what the holder got stays ciphertext, to whomever it is handed on.
  var isCiphertext = false
  /// Whether data of a managed account came where no policy holds: to an app that acts for somebody whom none manages,
  /// or outside, but for a storage location of the owner.
  package var isUnmanaged: Bool
  /// The rule that let the data through, with its setting.
  package var reason: Explanation

  /// A request on one of several devices.
  package struct Place: Sendable, Equatable, Hashable {
    /// The name of the device.
    package var device: String
    /// The number of the request on the device, or of the item that arrived there.
    package var request: Int
  }

  /// An item that another one came from.
  package struct Source: Sendable, Equatable, Hashable {
    package var item: Int
    package var certainty: Certainty

    /// A source that is an item, by its number.
    package init(item: Int, certainty: Certainty) {
      self.item = item
      self.certainty = certainty
    }
  }

  /// How sure it is that an item came from another one.
  package enum Certainty: String, Sendable, CaseIterable, Comparable {
    /// By the seal of the item's tag, or by the device's own records of pasteboard, files and extensions.
    case certain
    /// The guest says so, and it had that item.
    case stated
    /// The content is the same in whole or in part, and came without tag from an app that had the item.
    case likely

    package static func < (left: Certainty, right: Certainty) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }
}

// MARK: - Holders

/// Who or what has an item.
package enum Holder: Sendable, Equatable {
  /// A guest, as the device knew it at that time.
  case app(Participant)
  case pasteboard
  /// A file, by its path from the device's folder.
  case file(String)
  /// A device that it has come to from another one, by its name.
  case device(String)
  /// A feature of the system or a storage location, by its name; `account` is the location's, where the journal has it.
  case outside(String, account: String?)

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

// MARK: - Words

extension Holder {
  /// The holder in a few words.
  var text: String {
    switch self {
    case .app(let participant): participant.text
    case .pasteboard: "the pasteboard"
    case .file(let path): path
    case .device(let name): name
    case .outside(let place, ""?): "\(place) of an unknown account"
    case .outside(let place, let account): account.map { "\(place) of \($0)" } ?? place
    }
  }
}

extension Participant {
  /// The guest and for whom it acts.
  var text: String {
    switch identity {
    case nil: guest
    case "": "\(guest) (unknown account)"
    case let upn?: "\(guest) (\(upn), \(isManaged ? "managed" : "unmanaged"))"
    }
  }
}

extension Hop {
  /// The number of the request, after the device's name where there are several.
  var label: String { place.map { "\($0.device) \($0.request)" } ?? "\(number)" }

  /// The rule that let the data through, with its setting and where that is stated.
  var rule: String {
    let setting = reason.setting.map { " by \($0)" } ?? ""
    return reason.rule.rawValue + setting + (reason.source.map { ", \($0)" } ?? "")
  }

  /// What the holder has that nobody may expect of it.
  var marks: [String] {
    (isUnmanaged ? ["unmanaged"] : []) + (isEncrypted ? ["encrypted"] : [])
  }

  /// Where the data began, for a hop that came from no other one.
  var origin: String {
    guard let sender else { return "from outside" }
    return "made in \(sender.text)"
  }
}

extension Hop.Certainty {
  /// What text adds to a hop; empty for what is certain.
  var words: String {
    switch self {
    case .certain: ""
    case .stated: ", as the app says"
    case .likely: ", likely, by its content"
    }
  }
}
