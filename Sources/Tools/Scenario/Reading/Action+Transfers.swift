import Transfer

extension Action.Share {
  enum Key: String, CaseIterable {
    case from, to, text, type, file, items, via, openIn
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a share")
    let opensIn = try fields[.openIn]?.bool() ?? false
    try fields.refuse(.file, beside: .text)
    for key in [Key.text, .type, .file, .openIn] { try fields.refuse(key, beside: .items) }
    let content: Content
    if let items = fields[.items] {
      content = .offer(try OfferedItem.list(items))
    } else {
      content = .item(
        try Item(text: fields[.text], type: fields[.type], file: fields[.file], in: value))
    }
    self.init(
      from: try names.sender(fields.required(.from)),
      to: try names.destination(fields.required(.to)), content: content,
      via: try fields[.via]?.word() ?? .sdk,
      channel: opensIn ? .openIn : .share)
  }
}

extension OfferedItem {
  enum Key: String, CaseIterable {
    case title, contentText, attachments
  }

  static func list(_ value: YAMLValue) throws(Mistake) -> [OfferedItem] {
    var items: [OfferedItem] = []
    for element in try value.sequence() { items.append(try OfferedItem(element)) }
    return items
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
  enum Key: String, CaseIterable {
    case name, representations
  }

  fileprivate init(_ value: YAMLValue) throws(Mistake) {
    let fields = try Fields<Key>(value, "an attachment")
    self.init(suggestedName: try fields[.name]?.text(), representations: [])
    for member in try fields.required(.representations).mapping() {
      guard Name.isBundleID(member.key) else {
        throw Mistake(
          .invalidValue, at: member.position,
          "`\(member.key)` is no uniform type, such as `public.plain-text`")
      }
      representations.append(
        OfferedRepresentation(
          type: member.key, content: .data(Array(try member.value.text().utf8), nil)))
    }
  }
}

extension Action.Import {
  enum Key: String, CaseIterable {
    case into, from, via
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an import")
    self.init(
      into: try names.guest(fields.required(.into)),
      from: try names.destination(fields.required(.from)),
      via: try fields[.via]?.word() ?? .sdk)
  }
}

extension Action.Copy {
  enum Key: String, CaseIterable {
    case app, text, type, file
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a copy")
    try fields.refuse(.file, beside: .text)
    self.init(
      guest: try names.guest(fields.required(.app)),
      item: try Item(text: fields[.text], type: fields[.type], file: fields[.file], in: value))
  }
}

extension Action.Paste {
  enum Key: String, CaseIterable {
    case app
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    self.init(guest: try names.guest(Fields<Key>(value, "a paste").required(.app)))
  }
}

extension Item {
  enum FileKey: String, CaseIterable {
    case name, text
  }

  /// Text, or a file with text in it; without `type` it is plain text.
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
    if let type {
      self.type = try type.text()
      guard Name.isBundleID(self.type) else {
        throw type.mistake(
          .invalidValue, "`\(self.type)` is no uniform type, such as `public.plain-text`")
      }
    }
  }
}
