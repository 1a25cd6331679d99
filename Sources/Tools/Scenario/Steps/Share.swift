public import Model

extension Action {
  /// An item, or an offer of items, that an app shares with another app or an extension.
  public struct Share: StepDetail {
    /// The name of the sending guest, or of an app for all its guests at once.
    public var from: String
    /// The name of a guest, or a bundle id.
    public var to: String
    public var content: Content
    public var via: SharingPath
    /// The channel: `share`, `openIn` or `dragAndDrop`.
    public var channel: Channel
    /// What the extension hands back; nil: what it provides.
    public var handsBack: HandBack?
    /// The titles of the buttons that the extension's user taps, one after the other, of the alerts that it shows.
    public var taps: [String] = []

    /// What a ready-made extension hands back.
    public enum HandBack: Sendable, Equatable {
      /// A text that its user types in.
      case text(String)
      /// What it was handed.
      case held(StepItem.HandingOn)
    }

    /// The shared content.
    public enum Content: Sendable, Equatable {
      case item(StepItem)
      /// Items with attachments in several representations, of which an extension may load some.
      case offer([OfferedItem])
    }
  }
}

extension Channel {
  /// The gesture by which a user hands an item over.
  package enum Gesture: Sendable {
    case share, openIn, drop, paste
  }

  /// The gesture that takes the channel.
  package var gesture: Gesture {
    switch self {
    case .openIn: .openIn
    case .dragAndDrop: .drop
    case .clipboard: .paste
    case .share, .import, .extensionResult, .contactRead, .openURL, .universalLink, .appClip,
      .saveTo, .openFrom, .documentPickerExport, .documentPickerImport, .mailComposer,
      .messageComposer, .print, .notification, .contactSync, .widget, .spotlight, .siriIntents,
      .appIntents, .backup, .screenCapture, .writingTools, .genmoji, .keyboard, .webView,
      .safariExtension, .fileEncryption:
      .share
    }
  }
}

extension Action.Share {
  public var actingGuest: String? { from }

  public var receiver: String? { to }

  /// The key that is about the one run of an extension that the share starts; nil where none is.
  public var runKey: String? {
    if handsBack != nil { "handsBack" } else if !taps.isEmpty { "taps" } else { nil }
  }

  public var text: String {
    let what =
      switch channel.gesture {
      case .openIn: "opens \(content.label) in"
      case .drop: "drops \(content.label) in"
      case .share, .paste: "shares \(content.label) with"
      }
    return "\(from) \(what) \(to)\(via.text)"
  }
}

extension Action.Share.Content {
  fileprivate var label: String {
    switch self {
    case .item(let item): item.label
    case .offer(let items):
      items.flatMap(\.attachments).map { attachment in
        let types = attachment.registeredTypeIdentifiers.joined(separator: " or ")
        return attachment.suggestedName.map { "`\($0)` (\(types))" } ?? types
      }.joined(separator: ", ")
    }
  }
}

extension Action.Share {
  static let share = StepRow(
    "Offer an item to an app or an extension",
    .mapping(
      MappingRow(
        "share", Key.self,
        where:
          "\"oneOf\": [\(Key.needsItem), "
          + #"{"required": ["items"], "not": {"anyOf": [{"required": ["type"]}, {"required": ["openIn"]}]}}]"#
      )),
    example: #"{"from": "mail", "to": "viewer", "text": "Quarterly figures"}"#,
    [
      "`share: { from, to, text }`": "offer an item to an app or an extension"
    ],
    by: .task, expects: .request.union([.returned])
  ) { (value, names) throws(Mistake) in .share(try Action.Share(value, names)) }

  static let drop = StepRow(
    "Drag an item from one app and drop it in another",
    .mapping(
      MappingRow(
        "drop", DropKey.self, where: "\"oneOf\": [\(DropKey.needsItem)]")),
    example: #"{"from": "mail", "to": "viewer", "text": "Quarterly figures"}"#,
    [
      "`drop: { from, to, text }`": "drag an item from one app and drop it in another"
    ],
    by: .task, expects: .request.union([.returned])
  ) { (value, names) throws(Mistake) in .share(try Action.Share(dropping: value, names)) }

  enum Key: String, ItemKey {
    case from, to, text, type, file, item, items, via, openIn, handsBack, taps

    var row: KeyRow {
      switch self {
      case .from: .guests
      case .to: .destination
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      case .items:
        .optional(
          .someOf(.reference("offeredItem")),
          "What an extension may load of: items with attachments in several representations")
      case .via: .via
      case .openIn:
        .optional(.flag, "Open a document there rather than hand over a copy. Default: false")
      case .handsBack:
        .optional(
          .reference("handBack"),
          "What a ready-made extension hands back, this once. Default: what it `provides`")
      case .taps:
        .optional(
          .oneOrMore(.text),
          "Buttons that the user of an extension with a program of its own taps, one after the other, of the alerts that it shows"
        )
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a share")
    let opensIn = try fields[.openIn]?.bool() ?? false
    for key in [Key.text, .type, .file, .item, .openIn] {
      try fields.rejectConflict(key, with: .items)
    }
    let content: Content
    if let items = fields[.items] {
      content = .offer(try OfferedItem.list(items))
    } else {
      content = .item(try StepItem.required(fields, in: value))
    }
    let handsBack = try fields[.handsBack].map { value throws(Mistake) in
      try HandBack(value, fields.required(.to), names)
    }
    if case .held = handsBack, let items = fields[.items] {
      throw items.mistake(
        .conflictingKeys,
        "an extension hands back one item, and `items` may be several; state its `text`")
    }
    try fields.rejectConflict(.taps, with: .handsBack)
    let taps = try fields[.taps].map { value throws(Mistake) in
      try Self.taps(value, of: fields.required(.to), names)
    }
    self.init(
      from: try names.sender(fields.required(.from)),
      to: try names.destination(fields.required(.to)), content: content,
      via: try fields[.via]?.word() ?? .sdk,
      channel: opensIn ? .openIn : .share, handsBack: handsBack, taps: taps ?? [])
  }

  /// Reads the buttons that the user of the extension that `receiver` names taps.
  private static func taps(
    _ value: YAMLValue, of receiver: YAMLValue, _ names: Names
  ) throws(Mistake) -> [String] {
    let app = names.index.app(ofGuest: try receiver.text())
    if let app, app.extensionKind == nil, app.path == nil {
      throw value.mistake(
        .conflictingKeys,
        "`\(app.name)` is no extension; what an app shows, the step `tap` answers")
    }
    var buttons: [String] = []
    for button in try value.oneOrMore() { buttons.append(try button.text()) }
    return buttons
  }

  enum DropKey: String, ItemKey {
    case from, to, text, type, file, item

    var row: KeyRow {
      switch self {
      case .from: .guests
      case .to: .destination
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      }
    }
  }

  init(dropping value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<DropKey>(value, "a drop")
    self.init(
      from: try names.sender(fields.required(.from)),
      to: try names.destination(fields.required(.to)),
      content: .item(try StepItem.required(fields, in: value)),
      via: .sdk, channel: .dragAndDrop)
  }
}

extension Action.Share.HandBack {
  static let mapping = MappingRow(
    "handBack", Key.self, "What an extension hands back",
    where: #""oneOf": [{"required": ["text"]}, {"required": ["item"]}]"#)

  enum Key: String, MappingKey {
    case text, item

    var row: KeyRow {
      switch self {
      case .text: .optional(.text, "A text that its user types in")
      case .item:
        .optional(
          .word(of: StepItem.HandingOn.self),
          "What it was handed, as it came, or as if its user had typed it in")
      }
    }
  }

  /// Reads what the extension that `receiver` names hands back.
  init(_ value: YAMLValue, _ receiver: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "what an extension hands back")
    try fields.rejectConflict(.item, with: .text)
    if let app = names.index.app(ofGuest: try receiver.text()), let why = Self.objection(to: app) {
      throw value.mistake(.conflictingKeys, "`\(app.name)` \(why)")
    }
    if let item = fields[.item] {
      self = .held(try item.word())
    } else if let text = fields[.text] {
      self = .text(try text.text())
    } else {
      throw value.mistake(.missingKey, "what an extension hands back needs `text` or `item`")
    }
  }

  /// The reason why nothing can be said of what an app hands back; nil where there is none.
  private static func objection(to app: AppSpecification) -> String? {
    guard let kind = app.extensionKind else {
      // A bundle may be an extension by itself.
      return app.path == nil ? "is no extension, and hands nothing back" : nil
    }
    return kind.point.isInShareSheet ? nil : "is in no share sheet, and hands nothing back"
  }
}
