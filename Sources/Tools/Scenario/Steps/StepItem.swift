package import Model

/// The item that a step transfers: an item in the step, or the item that the guest received last.
package enum StepItem: Sendable, Equatable {
  case stated(Item)
  case held(HandingOn)

  /// The way in which a guest forwards its last received item. The item may have been delivered,
  /// returned as an answer, or read from a file.
  package enum HandingOn: String, Sendable, CaseIterable {
    /// The item is forwarded as received, with its tag.
    case received
    /// The item is forwarded without its tag, as if the user had retyped it.
    case retyped
  }

  var label: String {
    switch self {
    case .stated(let item): item.label
    case .held(.received): "its last item"
    case .held(.retyped): "its last item, retyped,"
    }
  }
}

protocol ItemKey: MappingKey {
  static var text: Self { get }
  static var type: Self { get }
  static var file: Self { get }
  static var item: Self { get }
}

extension ItemKey {
  /// The alternatives for `oneOf` in a JSON schema. They require that a step states exactly one item.
  static var needsItem: String {
    #"{"required": ["text"]}, {"required": ["file"]}, {"required": ["item"], "not": {"required": ["type"]}}"#
  }
}

extension StepItem {
  /// Reads a step's item. Returns nil if the step has none.
  static func optional(_ fields: Fields<some ItemKey>) throws(InputError) -> StepItem? {
    try fields.rejectConflict(.file, with: .text)
    try fields.rejectConflict(.item, with: .text)
    try fields.rejectConflict(.item, with: .file)
    try fields.rejectConflict(.type, with: .item)
    if let item = fields[.item] { return .held(try item.word()) }
    return try Item.optional(text: fields[.text], type: fields[.type], file: fields[.file])
      .map(StepItem.stated)
  }

  /// Reads the item of the step `value`. Throws an error if the step has none.
  static func required(
    _ fields: Fields<some ItemKey>, in value: YAMLValue
  ) throws(InputError) -> StepItem {
    guard let item = try optional(fields) else {
      throw value.mistake(.missingKey, "`\(value.name)` needs `text`, `file` or `item`")
    }
    return item
  }
}

// MARK: - Item in a file or a text

extension Item {
  enum FileKey: String, FieldKey {
    case name, text

    static let synonyms: [String: FileKey] = [
      "path": .name, "filename": .name, "file": .name, "content": .text, "contents": .text,
      "data": .text,
    ]
  }

  /// Reads an item: a text, or a file with a text. Returns nil if there is neither. The default type is plain text.
  static func optional(
    text: YAMLValue?, type: YAMLValue?, file: YAMLValue?
  ) throws(InputError) -> Item? {
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
    if let type { item.type = try Name.uniformType(type.text(), at: type.position) }
    return item
  }

  var label: String {
    if let name { return "`\(short(name))`" }
    return text.map { "`\(short($0))`" } ?? "\(payload.count) bytes"
  }
}

extension SharingPath {
  var text: String { self == .os ? " via the system" : "" }
}

/// Returns the first 40 characters of `text` as one line, followed by `…` if it is longer.
func short(_ text: String) -> String {
  oneLine(String(text.prefix(40))) + (text.count > 40 ? "…" : "")
}

// MARK: - Offer with several representations

extension OfferedItem {
  static let mapping = MappingRow("offeredItem", Key.self, "An item with attachments")

  private enum Key: String, MappingKey {
    case title, contentText, attachments

    var row: KeyRow {
      switch self {
      case .title: .optional(.text, "The item's title")
      case .contentText: .optional(.text, "The item's text")
      case .attachments:
        .required(.someOf(.reference("offeredAttachment")), "The item's attachments")
      }
    }
  }

  static func list(_ value: YAMLValue) throws(InputError) -> [OfferedItem] {
    var items: [OfferedItem] = []
    for element in try value.sequence() { items.append(try OfferedItem(element)) }
    let count = items.reduce(0) { $0 + $1.textCount }
    guard count <= YAMLAllowance.longestText else {
      throw value.mistake(
        .tooLarge,
        "the texts have \(count) bytes together; the maximum is \(YAMLAllowance.longestText)")
    }
    return items
  }

  /// The total size of the item's texts, in bytes.
  private var textCount: Int {
    let own = [title, contentText].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return attachments.reduce(own) { sum, attachment in
      attachment.representations.reduce(sum) { sum, representation in
        guard case .data(let bytes, _) = representation.content else { return sum }
        return sum + bytes.count
      }
    }
  }

  private init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<Key>(value, "an item")
    self.init(title: try fields[.title]?.text(), contentText: try fields[.contentText]?.text())
    for element in try fields.required(.attachments).sequence() {
      attachments.append(try OfferedAttachment(element))
    }
  }
}

extension OfferedAttachment {
  static let mapping = MappingRow(
    "offeredAttachment", Key.self, "An attachment in one or several representations")

  private enum Key: String, MappingKey {
    case name, representations

    var row: KeyRow {
      switch self {
      case .name: .optional(.text, "The attachment's name")
      case .representations:
        .required(
          .init(
            json:
              #""type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$"}, "additionalProperties": {"type": ["string", "number", "boolean"]}"#
          ), "Uniform types, the most faithful first, and the text that each has")
      }
    }
  }

  fileprivate init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<Key>(value, "an attachment")
    self.init(suggestedName: try fields[.name]?.text(), representations: [])
    for member in try fields.required(.representations).mapping() {
      representations.append(
        OfferedRepresentation(
          type: try Name.uniformType(member.key, at: member.position),
          content: .data(Array(try member.value.text().utf8), nil)))
    }
  }
}
