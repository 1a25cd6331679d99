import Glibc
import SluiceKit

/// A share extension: saves a text in the notes folder of its app, NoteKeeper.
final class SaveNote: ApplicationDelegate {
  func beginRequest(with context: ExtensionContext) {
    guard let attachment = context.attachments.first else { return context.completeRequest() }
    attachment.loadText { [unowned self] result in
      switch result {
      case .success(let note) where save(note): context.completeRequest()
      case .success: context.cancelRequest(withError: "the note cannot be saved")
      case .failure(let error): context.cancelRequest(withError: "\(error)")
      }
    }
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
