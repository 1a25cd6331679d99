internal import Glibc
internal import Wire

/// The folder of the app's own container that receives documents of an Open-In action.
final class DocumentInbox {
  private let host: any HostPort
  /// Paths to which documents are on their way.
  private var promised: Set<String> = []

  private static let folder = "Documents/Inbox"

  init(_ host: any HostPort) { self.host = host }

  /// Moves a document from the group to this app's folder; the app that opened it waits until `done` has returned.
  func take(
    _ handover: OpenInHandover,
    done: @escaping (Result<OpenedDocument, ProtectedFileError>) -> Void
  ) {
    let receipt = host.postponeAcknowledgement()
    let path = freePath(for: handover.name)
    promised.insert(path)
    let move = GuestMessage.Body.moveFile(
      FileReference(handover.path, group: handover.group), to: FileReference(path))
    host.request(move, as: nil) { [self] outcome in
      promised.remove(path)
      if let error = ProtectedFileError(outcome, handover.path) {
        done(.failure(error))
      } else {
        done(.success(OpenedDocument(path: path, name: handover.name, type: handover.type)))
      }
      receipt()
    }
  }

  /// A free path, named as on iOS: a number before the file name extension, where the name is taken.
  private func freePath(for name: String) -> String {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let suffix = name[stem.endIndex...]
    var path = "\(Self.folder)/\(name)"
    var number = 1
    while promised.contains(path) || access(path, F_OK) == 0 {
      number += 1
      path = "\(Self.folder)/\(stem)-\(number)\(suffix)"
    }
    return path
  }
}
