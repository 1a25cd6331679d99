internal import Encodings
internal import Wire

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
