internal import Foundation
internal import Host
internal import Transfer

/// What a ready-made guest has kept of what it was given: the files `1`, `2`, … in its container's `Inbox`.
struct Inbox {
  private let folder: String
  private let guest: String
  private let device: Device

  init(of guest: String, on device: Device) {
    self.guest = guest
    self.device = device
    folder = "\(device.containerPath(of: guest))/Inbox"
  }

  var count: Int { (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0 }

  /// nil where nothing has arrived there.
  func text(at number: Int) -> String? {
    device.contents(ofFile: "Inbox/\(number)", in: guest).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  struct Place {
    var guest: String
    /// Counts from 1.
    var number: Int
  }
}

/// Where the items of one step will arrive: each guest gets them in the order of the decisions.
struct Arrivals {
  private var latest: [String: Int] = [:]

  /// The place of what was just decided; nil where nothing will move.
  mutating func place(for decision: RequestDecision, of requester: String, on device: Device)
    -> Inbox.Place?
  {
    guard decision.verdict.outcome != .blocked, let guest = decision.recipient(requester) else {
      return nil
    }
    let number = (latest[guest] ?? Inbox(of: guest, on: device).count) + 1
    latest[guest] = number
    return Inbox.Place(guest: guest, number: number)
  }
}

extension RequestDecision {
  /// The guest that gets what moves: the receiver, which may be one run of an extension, or who searches the
  /// keychain.
  fileprivate func recipient(_ requester: String) -> String? {
    switch operation {
    // Nothing but the answer comes back.
    case .openFrom, .documentPickerImport, .contactRead, .canReceive: return nil
    default: break
    }
    return receiver?.guest
  }
}
