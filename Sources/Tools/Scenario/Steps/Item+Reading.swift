internal import Encodings
internal import JSON
internal import Model

extension Item {
  enum FileKey: String, CaseIterable {
    case name, text
  }

  /// Reads text, or a file with text in it, nil where there is neither; without `type` the item is plain text.
  static func optional(
    text: YAMLValue?, type: YAMLValue?, file: YAMLValue?
  ) throws(Mistake) -> Item? {
    var item: Item
    if let text {
      item = Item(text: try text.text())
    } else if let file {
      let fields = try Fields<FileKey>(file, "a file")
      item = Item(text: try fields.required(.text).text())
      item.name = try fields.required(.name).text()
    } else {
      return nil
    }
    if let type { item.type = try uniformType(type.text(), at: type.position) }
    return item
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
