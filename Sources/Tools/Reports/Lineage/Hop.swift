internal import Encodings
package import Model

/// An allowed movement of data: the resulting item, its sources and its new holder.
package struct Hop: Sendable, Equatable {
  /// The item's number. With one device, this is the request's number. With several devices, it is unique across all
  /// devices.
  package var number: Int
  /// The request's device and number; nil if there is only one device, because ``number`` is then the request's number.
  package var requestID: RequestID?
  package var operation: Operation
  /// The virtual time of the movement, in seconds since 1970-01-01T00:00:00Z.
  package var time: Int
  /// The sequence number of the decision's event in the journal.
  package var event: Int
  /// The items from which this item was made; empty if the sender created it or its origin is unknown.
  package var sources: [SourceItem]
  /// The guest that moved the data; nil for data that came from outside.
  package var sender: Participant?
  package var holder: Holder
  /// The owner's UPN; `""` if there is none or it is unknown.
  package var owner: String
  /// Whether the data or its sources belonged to a managed account.
  package var isManaged: Bool
  /// Whether the holder got ciphertext.
  package var isEncrypted: Bool
  /// Whether the holder's data remains ciphertext when it is forwarded.
  var isCiphertext = false
  /// Whether a managed account's data reached an unprotected destination: an app that acts for an unmanaged identity,
  /// or a destination outside all apps that is not the owner's storage.
  package var isUnmanaged: Bool
  /// The rule that allowed the movement, with its setting.
  package var reason: Explanation

  /// The identity of a request among several devices.
  package struct RequestID: Sendable, Equatable, Hashable {
    package var device: String
    /// The number of the request on the device, or of the item that arrived there.
    package var request: Int
  }

  package struct SourceItem: Sendable, Equatable, Hashable {
    package var item: Int
    package var certainty: Certainty
  }

  /// The certainty of an item's source.
  package enum Certainty: String, Sendable, CaseIterable, Comparable {
    /// Proved by the item's authenticated tag, or by the device's records of pasteboard, files and
    /// extensions.
    case certain
    /// Stated by the guest, which had the source item.
    case stated
    /// The content equals the source item's, in whole or in part. It came without a tag from an app that had the source
    /// item.
    case likely

    package static func < (left: Certainty, right: Certainty) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }

    /// The suffix in the text of a hop; empty for certain sources.
    var words: String {
      switch self {
      case .certain: ""
      case .stated: ", as the app says"
      case .likely: ", likely, by its content"
      }
    }
  }

  /// The request's device and number; the device is `""` if there is only one device.
  var place: RequestID { requestID ?? RequestID(device: "", request: number) }

  /// The request's number, preceded by the device's name if there are several devices.
  var label: String { requestID.map { "\($0.device) \($0.request)" } ?? "\(number)" }

  /// The rule that allowed the movement, with its setting and the setting's location.
  var rule: String {
    let setting = reason.setting.map { " by \($0)" } ?? ""
    return reason.rule.rawValue + setting + reason.sources.map { ", \($0)" }.joined()
  }

  /// The labels `unmanaged` and `encrypted`, each if it applies to the holder's data.
  var marks: [String] {
    (isUnmanaged ? ["unmanaged"] : []) + (isEncrypted ? ["encrypted"] : [])
  }

  /// The origin of the data, for a hop without sources.
  var origin: String {
    guard let sender else { return "from outside" }
    return "made in \(sender.text)"
  }
}

// MARK: - Departures

/// The counts of movements by which managed data left the protection of policies. All pages use these counts.
struct Departures: Sendable, Equatable {
  /// The number of movements to apps that act for an identity without a policy.
  private(set) var toApps = 0
  /// The number of movements to system features, storage locations and other devices.
  private(set) var toPlaces = 0

  /// Counts a hop if it took managed data out of the protection of policies.
  mutating func add(_ hop: Hop) {
    guard hop.isUnmanaged else { return }
    if hop.holder.participant == nil { toPlaces += 1 } else { toApps += 1 }
  }

  /// A sentence that states the number of movements and the kinds of destinations.
  var sentence: String {
    let kinds = [
      (toApps, "an unmanaged app", "unmanaged apps"),
      (toPlaces, "a place outside all apps", "places outside all apps"),
    ].filter { $0.0 > 0 }
    guard !kinds.isEmpty else { return "No managed data left the protection of policies." }
    let parts = kinds.map { count, one, many in
      "\(kinds.count == 1 ? "" : "\(count) ")to \(count == 1 ? one : many)"
    }
    return "\((toApps + toPlaces).counting("transfer")) took managed data out of the protection of"
      + " policies\(kinds.count == 1 ? "," : ":") \(parts.joined(separator: ", "))."
  }
}

// MARK: - Holders

package enum Holder: Sendable, Equatable {
  /// A guest, with the identity that it acted for at the time of the hop.
  case app(Participant)
  case pasteboard
  /// A file, by its path relative to the device's folder.
  case file(String)
  /// A device that received the item from another device, by name.
  case device(String)
  /// A system feature or a storage location, by name. `account` is the location's account, if the journal has
  /// it.
  case outside(String, account: String?)

  /// Returns whether `name` is the holder's name: the name of a guest, an app, a file, a device or a place.
  func isNamed(_ name: String) -> Bool {
    switch self {
    case .app(let participant): participant.guest.isGuest(of: name) || participant.app == name
    case .pasteboard: name == "pasteboard"
    case .file(let path): path == name
    case .device(let device): device == name
    case .outside(let place, let account):
      place == name || text == name || account.map { "\(place) of \($0)" } == name
    }
  }

  /// The app that holds the item; nil for other holders.
  var participant: Participant? {
    if case .app(let participant) = self { participant } else { nil }
  }
}

extension String {
  /// Returns whether the text is `name`, or `name` with a suffix that numbers the guests of an app or the runs of an
  /// extension.
  func isGuest(of name: String) -> Bool { self == name || withoutCount == name }

  /// The name without the suffix that numbers the guests of an app or the runs of an extension.
  var withoutCount: String {
    guard let mark = lastIndex(where: "-#".contains), Int(self[index(after: mark)...]) != nil
    else { return self }
    return String(self[..<mark])
  }
}

// MARK: - Text

extension Holder {
  var text: String {
    switch self {
    case .app(let participant): participant.text
    case .pasteboard: "the pasteboard"
    case .file(let path): path
    case .device(let name): name
    case .outside(let place, let account): StorageLocation.text(place, of: account)
    }
  }
}

extension Participant {
  /// The guest and its acting identity.
  var text: String {
    switch identity {
    case nil: guest
    case "": "\(guest) (unknown account)"
    case let upn?: "\(guest) (\(upn), \(isManaged ? "managed" : "unmanaged"))"
    }
  }
}
