internal import Foundation
internal import Host
internal import Model

extension InboxFile {
  /// The text of the file; nil where nothing has arrived.
  func text(on device: Device) -> String? {
    device.files.contents(ofFile: description, in: guest).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

/// The files that items become: each guest gets them in the order of the decisions.
struct Arrivals {
  /// The latest file of each guest in the step that runs.
  private var latest: [String: InboxFile] = [:]
  /// The number up to which a guest's process has no file to give any more.
  private var taken: [String: Taken] = [:]

  private struct Taken {
    var process: Int32?
    var number: Int
  }

  /// Begins a step: what was expected before has come, or does not come any more.
  mutating func beginStep() { latest = [:] }

  /// The file that the item of a decision becomes; nil where nothing will move.
  mutating func place(for decision: RequestDecision, of requester: String, on device: Device)
    -> InboxFile?
  {
    guard decision.verdict.outcome != .blocked, let guest = decision.recipient(requester) else {
      return nil
    }
    let file =
      latest[guest].map { InboxFile(of: guest, $0.number + 1) } ?? next(of: guest, on: device)
    latest[guest] = file
    return file
  }

  /// The file that the guest's next item becomes. A process never goes back to a file that it has passed.
  private mutating func next(of guest: String, on device: Device) -> InboxFile {
    let container = device.containerPath(of: guest)
    let process = device.guests.processIdentifier(of: guest)
    let known = taken[guest].flatMap { process != nil && $0.process == process ? $0.number : nil }
    var file = InboxFile(of: guest, (known ?? 0) + 1)
    while FileManager.default.fileExists(atPath: "\(container)/\(file)") { file.number += 1 }
    taken[guest] = Taken(process: process, number: file.number - 1)
    return file
  }
}

extension RequestDecision {
  /// The guest that gets the item: the receiver, which may be an instance of an extension, or nil where nothing but an
  /// answer comes back.
  fileprivate func recipient(_ requester: String) -> String? {
    switch operation {
    // Nothing but the answer comes back.
    case .documentPickerImport, .contactRead, .canReceive: nil
    case .openFrom: bytes == nil ? nil : receiver?.guest
    case .share, .openIn, .import, .dragAndDrop, .openURL, .universalLink, .appClip, .saveTo,
      .documentPickerExport, .mailComposer, .messageComposer, .print, .notification, .contactSync,
      .widget, .spotlight, .siriIntents, .appIntents, .backup, .screenCapture, .writingTools,
      .genmoji, .keyboard, .webView, .safariExtension, .fileEncryption, .copy, .paste, .keychainAdd,
      .keychainQuery, .keychainDelete, .signIn, .signOut, .enroll, .unenroll, .remediate,
      .acquireToken, .switchIdentity, .openFile, .moveFile, .removeFile, .protectData,
      .unprotectData, .conditionalLaunch, .loadItem, .completeExtension, .extensionCall, .airDrop,
      .openReceived, .universalClipboard, .managedConfiguration, .legacyManagedConfiguration,
      .managedIdentifiers, .managedPassword, .managedCertificate, .managedIdentity,
      .managedSignature, .managedReport:
      receiver?.guest
    }
  }
}
