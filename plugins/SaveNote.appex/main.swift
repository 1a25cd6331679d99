import Glibc
import SluiceKit

/// A share extension: leaves a text where its app, NoteKeeper, keeps its notes.
final class SaveNote: ApplicationDelegate {
  func beginRequest(with context: ExtensionContext) {
    let input = context.inputItem
    guard !input.isEncrypted else {
      return context.cancelRequest(withError: "the item is encrypted")
    }
    // `public.plain-text`, `public.utf8-plain-text`, and what the Intune App SDK makes of them.
    guard input.item.type.hasSuffix("plain-text"), let note = input.item.text else {
      return context.cancelRequest(withError: "`\(input.item.type)` is not text")
    }
    guard save(note) else { return context.cancelRequest(withError: "the note cannot be saved") }
    context.completeRequest()
  }

  private func save(_ note: String) -> Bool {
    let group = Application.containerPath(
      forSecurityApplicationGroupIdentifier: "group.org.example.notekeeper")
    guard let file = fopen("\(group)/notes", "a") else { return false }
    let isWritten = fputs("\(note)\u{1E}", file) >= 0
    return fclose(file) == 0 && isWritten
  }
}

try Application.connect(delegate: SaveNote()).run()
