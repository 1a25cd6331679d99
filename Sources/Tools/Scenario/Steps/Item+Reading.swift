internal import Encodings
internal import JSON
internal import Model

extension Item {
  enum FileKey: String, CaseIterable {
    case name, text
  }

  /// Reads text, or a file with text in it; without `type` the item is plain text.
  init(
    text: YAMLValue?, type: YAMLValue?, file: YAMLValue?, in value: YAMLValue
  ) throws(Mistake) {
    if let text {
      self.init(text: try text.text())
    } else if let file {
      let fields = try Fields<FileKey>(file, "a file")
      self.init(text: try fields.required(.text).text())
      name = try fields.required(.name).text()
    } else {
      throw value.mistake(.missingKey, "`\(value.name)` needs `text` or `file`")
    }
    if let type { self.type = try Self.uniformType(type.text(), at: type.position) }
  }

  /// The uniform type that `text` is.
  ///
  /// - Throws: ``Mistake`` where it is none.
  static func uniformType(_ text: String, at position: Position) throws(Mistake) -> String {
    guard Name.isBundleID(text) else {
      throw Mistake(
        .invalidValue, at: position, "`\(text)` is no uniform type, such as `public.plain-text`")
    }
    return text
  }
}

extension Item {
  var label: String {
    if let name { return "`\(short(name))`" }
    return text.map { "`\(short($0))`" } ?? "\(payload.count) bytes"
  }
}

extension SharingPath {
  var text: String { self == .os ? " via the system" : "" }
}

/// The first 40 characters of `text` at most, in one line.
func short(_ text: String) -> String {
  oneLine(String(text.prefix(40))) + (text.count > 40 ? "…" : "")
}
