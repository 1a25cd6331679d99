import Glibc
import SluiceKit

/// Stores the notes that other apps share with it or open in it, and those that its extension SaveNote saves in
/// their app group.
final class NoteKeeper: ApplicationDelegate {
  private let notes =
    Application.containerPath(forSecurityApplicationGroupIdentifier: "group.org.example.notekeeper")
    + "/notes"

  func application(_ application: Application, didReceive received: ReceivedItem) {
    guard !received.isEncrypted, let note = received.item.text, keep(note) else {
      return application.log("did not store `\(received.item.type)` from \(received.sender)")
    }
  }

  /// Receives a document opened by Open-In.
  func application(
    _ application: Application, open document: OpenedDocument, from sender: String
  ) {
    application.openFile(atPath: document.path, for: .reading) { [unowned self] result in
      let text = (try? result.get().contents()).flatMap { String(validating: $0, as: UTF8.self) }
      guard let text, keep(text) else {
        return application.log("did not store `\(document.name)`")
      }
    }
  }

  private func keep(_ note: String) -> Bool {
    guard let file = fopen(notes, "a") else { return false }
    let isWritten = fputs("\(note)\u{1E}", file) >= 0
    return fclose(file) == 0 && isWritten
  }

  func application(_ application: Application, itemForRequester requester: String) -> Item? {
    latest.map(Item.init(text:))
  }

  /// Handles `notekeeper:share?to=org.example.viewer`, which shares the latest note.
  func application(_ application: Application, open url: String, from sender: String) {
    guard let note = latest, let query = url.split(separator: "?to=").last else { return }
    application.share(Item(text: note), with: String(query)) { outcome in
      application.log("sharing with \(query): \(outcome.end)")
    }
  }

  private var latest: String? {
    guard let file = fopen(notes, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\u{1E}").last.map(String.init)
  }
}

try Application.connect(delegate: NoteKeeper()).run()
