internal import Encodings
internal import Glibc
internal import Model
internal import Wire

/// An Open-In action extension, which the SDK brings (`OpenInActionExtension`): it leaves the one document that it gets
/// in an app group, in its owner's name, and has its app open it there.
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
      return cancel("it shares no app group with its app")
    }
    guard !place.scheme.isEmpty else {
      return cancel("its app registers no URL scheme beside that scheme's -intunemam twin")
    }
    guard context.attachments.count == 1, let document = context.attachments.first,
      let type = document.registeredTypeIdentifiers.first
    else { return cancel("it opens one document, not \(context.attachments.count)") }
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
      // The owner may not be signed in here: the item then belongs to the account that it came to.
      guard error != nil, owner != nil else { return tell(handover, error) }
      write(item, handover, owner: nil) { [self] in tell(handover, $0) }
    }
  }

  private func write(
    _ item: Item, _ handover: OpenInHandover, owner: String?,
    done: @escaping (ProtectedFileError?) -> Void
  ) {
    let reference = FileReference(handover.path, group: handover.group)
    files.open(OpenFile(reference, mode: .truncate, owner: owner), as: nil) { result in
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

  private func tell(_ handover: OpenInHandover, _ error: ProtectedFileError?) {
    if let error { return cancel(error.description) }
    let url = OpenURL(handover.url(scheme: place.scheme), isKnownManagedScheme: true)
    host.request(.openURL(url)) { [self] outcome in
      guard outcome.end == .delivered else {
        let reference = FileReference(handover.path, group: handover.group)
        return files.remove(reference) { [self] _ in
          cancel("its app did not open the document: \(outcome.end)")
        }
      }
      context.completeRequest()
    }
  }

  private func cancel(_ why: String) { context.cancelRequest(withError: why) }
}

/// The message of an Open-In action to its app: a URL of the app's `-intunemam` scheme with the place of the document.
struct OpenInHandover: Equatable {
  var group: String
  /// The path in the group's container, below ``folder``.
  var path: String
  /// The name of the document, without any folder.
  var name: String
  var type: String

  /// The folder in the container of the group in which documents wait for their app.
  static let folder = "Open-In"
  private static let suffix = "-intunemam://open-in?"

  init(_ place: OpenInPlace, name: String?, type: String) {
    group = place.group
    self.name = Self.fileName(name ?? "Document", atMost: Self.longestName)
    path = "\(Self.folder)/\(place.mark)-\(self.name)"
    self.type = type
  }

  /// Reads a URL that the app is to open; nil where it is no handover.
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
    // The sender may be any app: it must reach nothing but documents that an Open-In action left.
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

  // MARK: names

  /// The limit in bytes: the file system's limit leaves room for the mark before the name, and for a number behind it.
  private static let longestName = 128
  private static let longestFile = 255

  /// The last part of a path, of at most `limit` bytes; of a longer one its end, which tells the kind of file.
  private static func fileName(_ text: String, atMost limit: Int) -> String {
    let last = Array(text.utf8.suffix(limit)).split(separator: UInt8(ascii: "/")).last ?? []
    // Cut within a character, it begins with the next.
    let name = String(decoding: last.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    return ["", ".", ".."].contains(name) || name.utf8.contains(0) ? "Document" : name
  }

  // MARK: percent-encoding

  private static func encoded(_ text: String) -> String {
    PercentEncoding.encoded(text.utf8, except: [UInt8(ascii: "/")])
  }

  /// Resolves the escapes of a text; nil where one is malformed, or the bytes are no text.
  private static func decoded(_ text: Substring) -> String? {
    PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

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

/// A document that has come by the app's Open-In action: a file of the app's own container from now on, which keeps
/// its owner.
public struct OpenedDocument: Sendable, Hashable {
  /// The path in `Documents/Inbox` of the container; ``Application/openFile(atPath:for:inGroup:completion:)`` opens it.
  public let path: String
  /// The name under which the document was shared; the file's name has a number behind it where it was taken.
  public let name: String
  /// A uniform type identifier, as the sender states it.
  public let type: String
}
