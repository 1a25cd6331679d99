internal import Encodings
internal import Glibc
internal import Model
internal import Wire

/// The SDK's own Open-In action extension (`OpenInActionExtension`).
///
/// It writes its single document to an app group on behalf of the document's owner, and then opens a URL that hands the
/// document to its app.
final class OpenInAction {
  private let context: ExtensionContext
  private let place: OpenInPlace
  private let host: any HostPort
  private let files: AppFiles

  init(
    _ context: ExtensionContext, _ place: OpenInPlace, _ host: any HostPort, _ files: AppFiles
  ) {
    self.context = context
    self.place = place
    self.host = host
    self.files = files
  }

  func run() {
    guard !place.group.isEmpty else {
      return cancel("the extension shares no app group with its app")
    }
    guard !place.scheme.isEmpty else {
      return cancel(
        "the extension's app does not register both a URL scheme and the scheme's `-intunemam` twin"
      )
    }
    guard context.attachments.count == 1, let document = context.attachments.first,
      let type = document.registeredTypeIdentifiers.first
    else { return cancel("the extension opens one document, not \(context.attachments.count)") }
    document.loadItem(forTypeIdentifier: type) { [self] result in
      switch result {
      case .success(let received) where received.isEncrypted:
        cancel("the document arrived as ciphertext")
      case .success(let received): leave(received.item)
      case .failure(let error): cancel(error.description)
      }
    }
  }

  private func leave(_ item: Item) {
    let handover = OpenInHandover(place, name: item.name, type: item.type)
    let owner = item.tag.flatMap { $0.isManaged ? $0.ownerUPN : nil }
    write(item, handover, owner: owner) { [self] error in
      // If the owner is not signed in here, the document belongs to the account that received it.
      guard error != nil, owner != nil else { return notify(handover, error) }
      write(item, handover, owner: nil) { [self] in notify(handover, $0) }
    }
  }

  private func write(
    _ item: Item, _ handover: OpenInHandover, owner: String?,
    done: @escaping (ProtectedFileError?) -> Void
  ) {
    let reference = FileReference(handover.path, group: handover.group)
    files.open(OpenFile(reference, mode: .truncating, owner: owner), as: nil) { result in
      do throws(ProtectedFileError) {
        let file = try result.get()
        defer { file.close() }
        try file.write(item.bytes)
        done(nil)
      } catch {
        done(error)
      }
    }
  }

  private func notify(_ handover: OpenInHandover, _ error: ProtectedFileError?) {
    if let error { return cancel(error.description) }
    let url = OpenURL(handover.url(scheme: place.scheme), isKnownManagedScheme: true)
    host.request(.openURL(url)) { [self] outcome in
      guard outcome.end == .delivered else {
        let reference = FileReference(handover.path, group: handover.group)
        return files.remove(reference) { [self] _ in
          cancel("the extension's app did not open the document: \(outcome.end)")
        }
      }
      context.completeRequest()
    }
  }

  private func cancel(_ why: String) { context.cancelRequest(withError: why) }
}

/// A message from an Open-In action to its app: a URL with the app's `-intunemam` scheme and the
/// document's location.
struct OpenInHandover: Equatable {
  var group: String
  /// The path in the app group's container, below ``folder``.
  var path: String
  /// The document's name, without folders.
  var name: String
  var type: String

  /// The folder in the app group's container in which documents wait for the app.
  static let folder = "Open-In"
  private static let suffix = "-intunemam://open-in?"

  init(_ place: OpenInPlace, name: String?, type: String) {
    group = place.group
    self.name = Self.fileName(name ?? "Document", atMost: Self.longestName)
    path = "\(Self.folder)/\(place.mark)-\(self.name)"
    self.type = type
  }

  /// Parses a URL that the app is about to open. Returns nil if it is not a handover.
  init?(_ url: String) {
    guard let start = url.firstRange(of: Self.suffix) else { return nil }
    var fields: [String: String] = [:]
    for field in url[start.upperBound...].split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Self.decoded(parts[1]) else { return nil }
      fields[String(parts[0])] = value
    }
    guard let group = fields["group"], let path = fields["file"], let name = fields["name"],
      let type = fields["type"]
    else { return nil }
    // Any app can send this URL, so it must only reach documents that an Open-In action wrote.
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == Self.folder,
      Self.fileName(String(parts[1]), atMost: Self.longestFile) == parts[1],
      Self.fileName(name, atMost: Self.longestName) == name
    else { return nil }
    (self.group, self.path, self.name, self.type) = (group, path, name, type)
  }

  func url(scheme: String) -> String {
    "\(scheme)://open-in?group=\(Self.encoded(group))&file=\(Self.encoded(path))"
      + "&name=\(Self.encoded(name))&type=\(Self.encoded(type))"
  }

  // MARK: Names

  /// The maximum length of a document's name, in bytes. The document's file name, which also contains a mark and
  /// possibly a number, can have ``longestFile`` bytes, the file system's limit.
  private static let longestName = 128
  private static let longestFile = 255

  /// Returns the last path component. If it exceeds `limit` bytes, only its last bytes are kept,
  /// which include the file name extension.
  private static func fileName(_ text: String, atMost limit: Int) -> String {
    let last = Array(text.utf8.suffix(limit)).split(separator: UInt8(ascii: "/")).last ?? []
    // If the cut is inside a character, the rest of the character is dropped.
    let name = String(decoding: last.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    return ["", ".", ".."].contains(name) || name.utf8.contains(0) ? "Document" : name
  }

  // MARK: Percent-encoding

  private static func encoded(_ text: String) -> String {
    PercentEncoding.encoded(text.utf8, except: [UInt8(ascii: "/")])
  }

  /// Decodes percent escapes; nil if an escape is malformed or the result is not UTF-8.
  private static func decoded(_ text: Substring) -> String? {
    PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// The folder in the app's own container that receives documents from an Open-In action.
final class DocumentInbox {
  private let host: any HostPort
  /// The destination paths of documents that are still being moved.
  private var promised: Set<String> = []

  private static let folder = "Documents/Inbox"

  init(_ host: any HostPort) { self.host = host }

  /// Moves a document from the app group to this app's inbox. The handover is acknowledged after `done` returns; its
  /// sender waits until then.
  func accept(
    _ handover: OpenInHandover,
    done: @escaping (Result<OpenedDocument, ProtectedFileError>) -> Void
  ) {
    host.postponeAcknowledgement()
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
      host.finishAcknowledgement()
    }
  }

  /// Returns an unused path in the inbox for a document. As on iOS, if the name is taken, a number is inserted before
  /// the file name extension.
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

/// A document that arrived through the app's Open-In action. It is a file in the app's own container and
/// keeps its owner.
public struct OpenedDocument: Sendable, Hashable {
  /// The path in the container, below `Documents/Inbox`. Open it with
  /// ``Application/openFile(atPath:for:inGroup:completion:)``.
  public let path: String
  /// The name under which the document was shared. If the name was taken, the file's name has a
  /// number before its extension.
  public let name: String
  /// The uniform type identifier that the sender stated.
  public let type: String
}
