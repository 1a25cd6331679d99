internal import Foundation
internal import Host
internal import Model

extension InboxFile {
  /// nil where nothing has arrived there.
  func text(on device: Device) -> String? {
    device.files.contents(ofFile: description, in: guest).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The one that the guest's next item becomes.
  static func next(of guest: String, on device: Device) -> InboxFile {
    let container = device.containerPath(of: guest)
    var file = InboxFile(of: guest, 1)
    while FileManager.default.fileExists(atPath: "\(container)/\(file)") { file.number += 1 }
    return file
  }
}

/// Where the items of one step will arrive: each guest gets them in the order of the decisions.
struct Arrivals {
  private var latest: [String: InboxFile] = [:]

  /// The place of what was just decided; nil where nothing will move.
  mutating func place(for decision: RequestDecision, of requester: String, on device: Device)
    -> InboxFile?
  {
    guard decision.verdict.outcome != .blocked, let guest = decision.recipient(requester) else {
      return nil
    }
    let file =
      latest[guest].map { InboxFile(of: guest, $0.number + 1) } ?? .next(of: guest, on: device)
    latest[guest] = file
    return file
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
