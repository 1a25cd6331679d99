internal import Model

extension OfferedItem {
  static let mapping = MappingRow("offeredItem", Key.self, "What is shared at once")

  enum Key: String, MappingKey {
    case title, contentText, attachments

    var row: KeyRow {
      switch self {
      case .title: .optional(.text, "The item's title")
      case .contentText: .optional(.text, "The item's text")
      case .attachments: .required(.someOf(.reference("offeredAttachment")), "The things in it")
      }
    }
  }

  static func list(_ value: YAMLValue) throws(Mistake) -> [OfferedItem] {
    var items: [OfferedItem] = []
    for element in try value.sequence() { items.append(try OfferedItem(element)) }
    let count = items.reduce(0) { $0 + $1.textCount }
    guard count <= YAMLAllowance.longestText else {
      throw value.mistake(
        .tooLarge,
        "texts of \(count) bytes; what is shared at once may have \(YAMLAllowance.longestText)")
    }
    return items
  }

  /// Bytes of all texts of the item.
  private var textCount: Int {
    let own = [title, contentText].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return attachments.reduce(own) { sum, attachment in
      attachment.representations.reduce(sum) { sum, representation in
        guard case .data(let bytes, _) = representation.content else { return sum }
        return sum + bytes.count
      }
    }
  }

  private init(_ value: YAMLValue) throws(Mistake) {
    let fields = try Fields<Key>(value, "an item")
    self.init(title: try fields[.title]?.text(), contentText: try fields[.contentText]?.text())
    for element in try fields.required(.attachments).sequence() {
      attachments.append(try OfferedAttachment(element))
    }
  }
}

extension OfferedAttachment {
  static let mapping = MappingRow(
    "offeredAttachment", Key.self, "One thing, in one representation or several")

  enum Key: String, MappingKey {
    case name, representations

    var row: KeyRow {
      switch self {
      case .name: .optional(.text, "The thing's own name")
      case .representations:
        .required(
          .init(
            json:
              #""type": "object", "minProperties": 1, "propertyNames": {"pattern": "^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$"}, "additionalProperties": {"type": ["string", "number", "boolean"]}"#
          ), "Uniform types, the most faithful first, and the text that each has")
      }
    }
  }

  init(_ value: YAMLValue) throws(Mistake) {
    let fields = try Fields<Key>(value, "an attachment")
    self.init(suggestedName: try fields[.name]?.text(), representations: [])
    for member in try fields.required(.representations).mapping() {
      representations.append(
        OfferedRepresentation(
          type: try Item.uniformType(member.key, at: member.position),
          content: .data(Array(try member.value.text().utf8), nil)))
    }
  }
}
