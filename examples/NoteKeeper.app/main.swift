import Glibc
import SluiceKit

/// Keeps the notes that other apps share with it, and those that its extension SaveNote leaves in their group.
final class NoteKeeper: ApplicationDelegate {
  private let notes =
    Application.containerPath(forSecurityApplicationGroupIdentifier: "group.org.example.notekeeper")
    + "/notes"

  func application(_ application: Application, didReceive received: ReceivedItem) {
    guard !received.isEncrypted, let note = received.item.text, let file = fopen(notes, "a") else {
      return application.log("kept nothing of `\(received.item.type)` from \(received.sender)")
    }
    fputs("\(note)\u{1E}", file)
    fclose(file)
  }

  func application(_ application: Application, itemForRequester requester: String) -> Item? {
    latest.map(Item.init(text:))
  }

  /// `notekeeper:share?to=org.example.viewer` shares the latest note.
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
