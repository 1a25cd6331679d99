package import Model
internal import Wire

extension Action {
  /// A share of an item, or an offer of items, to another app or an extension.
  package struct Share: RequestStep {
    /// The name of the sending guest or app. The guests of an app share concurrently.
    package var from: String
    /// The name of the receiving guest, or a bundle id.
    package var to: String
    package var content: Content
    package var via: SharingPath
    package var way: Way
    /// The content that the extension returns; nil for the text that the extension `provides`.
    package var handsBack: HandBack?
    /// The titles of the buttons that the extension's user taps in its alerts, in order.
    package var taps: [String] = []

    /// The content that a ready-made extension returns.
    package enum HandBack: Sendable, Equatable {
      /// A text that the extension's user types.
      case text(String)
      case held(StepItem.HandingOn)
    }

    package enum Content: Sendable, Equatable {
      case item(StepItem)
      /// Items with attachments in several representations. An extension may load any representation.
      case offer([OfferedItem])
    }
  }
}

extension Action.Share {
  package var actingGuest: String? { from }

  package var receiver: String? { to }

  /// The key of the share that applies to a single extension run, `handsBack` or `taps`; nil if the share has neither.
  package var runKey: String? {
    if handsBack != nil { "handsBack" } else if !taps.isEmpty { "taps" } else { nil }
  }

  package func request(in world: some StepWorld) -> StepRequest {
    switch content {
    case .item(let item):
      StepRequest(
        .share(Wire.Share(destination: to, item: item.stated, via: via, way: way)),
        item.content)
    case .offer(let items):
      StepRequest(.shareItems(Wire.ShareItems(destination: to, items: items, via: via)))
    }
  }

  package func actions(ofGuestsIn scenario: Scenario) -> [Action]? {
    scenario.guests(named: from).map { guest in
      var share = self
      share.from = guest
      return .share(share)
    }
  }

  package var text: String {
    let what =
      switch way {
      case .openIn: "opens \(content.label) in"
      case .dragAndDrop: "drops \(content.label) in"
      case .share: "shares \(content.label) with"
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
    "share",
    "Offer an item to an app or an extension",
    .mapping(
      MappingRow(
        "share", Key.self,
        where:
          "\"oneOf\": [\(Key.needsItem), "
          + #"{"required": ["items"], "not": {"anyOf": [{"required": ["type"]}, {"required": ["openIn"]}]}}]"#
      )),
    example: #"{"from": "mail", "to": "viewer", "text": "Quarterly figures"}"#,
    synonyms: ["send", "transfer", "openin", "forward"],
    by: .task, expects: .request.union([.returned])
  ) { (value, names) throws(InputError) in .share(try Action.Share(value, names)) }

  static let drop = StepRow(
    "drop",
    "Drag an item from one app to another",
    .mapping(
      MappingRow(
        "drop", DropKey.self, where: "\"oneOf\": [\(DropKey.needsItem)]")),
    example: #"{"from": "mail", "to": "viewer", "text": "Quarterly figures"}"#,
    synonyms: ["drag", "draganddrop"],
    by: .task, expects: .request.union([.returned])
  ) { (value, names) throws(InputError) in .share(try Action.Share(dropping: value, names)) }

  private enum Key: String, ItemKey {
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
          "Items with attachments in several representations, for an extension")
      case .via: .via
      case .openIn:
        .optional(
          .flag, "Open the document in the app instead of handing over a copy. Default: false")
      case .handsBack:
        .optional(
          .reference("handBack"),
          "The item that a ready-made extension returns, this time. Default: what it `provides`")
      case .taps:
        .optional(
          .oneOrMore(.text),
          "Buttons of alerts that the user of an extension with its own program taps, one after the other"
        )
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
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
    let handsBack = try fields[.handsBack].map { value throws(InputError) in
      try HandBack(value, fields.required(.to), names)
    }
    if case .held = handsBack, let items = fields[.items] {
      throw items.mistake(
        .conflictingKeys,
        "an extension returns one item, so `item` in `handsBack` conflicts with `items`; use `text` instead"
      )
    }
    try fields.rejectConflict(.taps, with: .handsBack)
    let taps = try fields[.taps].map { value throws(InputError) in
      try Self.taps(value, of: fields.required(.to), names)
    }
    self.init(
      from: try names.sender(fields.required(.from)),
      to: try names.destination(fields.required(.to)), content: content,
      via: try fields[.via]?.word() ?? .sdk,
      way: opensIn ? .openIn : .share, handsBack: handsBack, taps: taps ?? [])
  }

  /// Reads the buttons that the user of an extension taps.
  ///
  /// - Parameter receiver: The value that names the extension.
  private static func taps(
    _ value: YAMLValue, of receiver: YAMLValue, _ names: Names
  ) throws(InputError) -> [String] {
    let app = names.index.app(ofGuest: try receiver.text())
    if let app, app.extensionKind == nil, app.path == nil {
      throw value.mistake(
        .conflictingKeys,
        "`\(app.name)` is not an extension; use the step `tap` for an app's alert")
    }
    var buttons: [String] = []
    for button in try value.oneOrMore() { buttons.append(try button.text()) }
    return buttons
  }

  private enum DropKey: String, ItemKey {
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

  private init(dropping value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<DropKey>(value, "a drop")
    self.init(
      from: try names.sender(fields.required(.from)),
      to: try names.destination(fields.required(.to)),
      content: .item(try StepItem.required(fields, in: value)),
      via: .sdk, way: .dragAndDrop)
  }
}

extension Action.Share.HandBack {
  static let mapping = MappingRow(
    "handBack", Key.self, "The item that an extension returns",
    where: #""oneOf": [{"required": ["text"]}, {"required": ["item"]}]"#)

  private enum Key: String, MappingKey {
    case text, item

    var row: KeyRow {
      switch self {
      case .text: .optional(.text, "A text that its user types in")
      case .item:
        .optional(
          .word(of: StepItem.HandingOn.self),
          "The item that it got, with its tag, or as if its user had typed it")
      }
    }
  }

  /// Reads the content that an extension returns.
  ///
  /// - Parameter receiver: The value that names the extension.
  fileprivate init(_ value: YAMLValue, _ receiver: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an extension's result")
    try fields.rejectConflict(.item, with: .text)
    if let app = names.index.app(ofGuest: try receiver.text()), let why = Self.objection(to: app) {
      throw value.mistake(.conflictingKeys, "`\(app.name)` \(why)")
    }
    if let item = fields[.item] {
      self = .held(try item.word())
    } else if let text = fields[.text] {
      self = .text(try text.text())
    } else {
      throw value.mistake(.missingKey, "an extension's result needs `text` or `item`")
    }
  }

  /// Returns the reason why a step cannot set the content that `app` returns, as a clause; nil if it can.
  private static func objection(to app: AppDefinition) -> String? {
    guard let kind = app.extensionKind else {
      // The bundle may show that the app is an extension.
      return app.path == nil ? "is not an extension and returns nothing" : nil
    }
    return kind.isInShareSheet ? nil : "is not offered in share sheets and returns nothing"
  }
}

// MARK: - Import

extension Action {
  package struct Import: RequestStep {
    /// The name of the importing guest.
    package var into: String
    /// The name or bundle id of the providing guest.
    package var from: String
    package var via: SharingPath
  }
}

extension Action.Import {
  package var actingGuest: String? { into }

  package var provider: String? { from }

  package var text: String { "\(into) imports from \(from)\(via.text)" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.import(source: from, via: via))
  }

  static let step = StepRow(
    "import",
    "Request an item from another app",
    .mapping(MappingRow("import", Key.self)),
    example: #"{"into": "mail", "from": "viewer"}"#,
    by: .task, expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.Import(value, names)) }

  private enum Key: String, MappingKey {
    case into, from, via

    var row: KeyRow {
      switch self {
      case .into: .guest
      case .from: .destination
      case .via: .via
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an import")
    self.init(
      into: try names.guest(fields.required(.into)),
      from: try names.destination(fields.required(.from)),
      via: try fields[.via]?.word() ?? .sdk)
  }
}

// MARK: - Share sheet

extension Action {
  /// An inspection of the share sheet that the system would show.
  package struct ShareSheet: StepDetail {
    package var from: String
    /// The items to share. There is at least one.
    package var items: [Item]
    package var via: SharingPath

    package struct Item: Sendable, Equatable {
      /// The file's name; nil if the item is not a file.
      package var fileName: String?
      /// The uniform types. If empty, they follow from the file name.
      package var types: [String]

      package init(fileName: String? = nil, types: [String] = []) {
        self.fileName = fileName
        self.types = types
      }
    }

    package init(from: String, items: [Item], via: SharingPath = .sdk) {
      self.from = from
      self.items = items
      self.via = via
    }
  }
}

extension Action.ShareSheet {
  package var actingGuest: String? { from }

  package var text: String {
    let what = items.map { item in
      item.fileName.map { "`\(short($0))`" } ?? item.types.joined(separator: " or ")
    }
    return "\(from) looks at the share sheet for \(what.joined(separator: ", "))\(via.text)"
  }

  static let step = StepRow(
    "shareSheet",
    "List what a share sheet would show; nothing is shared",
    .mapping(MappingRow("shareSheet", Key.self)),
    example: #"{"from": "mail", "items": {"file": "figures.pdf"}}"#,
    by: .task, expects: [.shown, .encrypted, .hidden]
  ) { (value, names) throws(InputError) in .shareSheet(try Action.ShareSheet(value, names)) }

  private enum Key: String, MappingKey {
    case from, items, via

    var row: KeyRow {
      switch self {
      case .from: .required(.name, "Name of the sharing guest")
      case .items: .required(.oneOrMore(.reference("sheetItem")), "The attachments of the item")
      case .via: .via
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a share sheet")
    var items: [Item] = []
    for element in try fields.required(.items).oneOrMore() { items.append(try Item(element)) }
    self.init(
      from: try names.guest(fields.required(.from)), items: items,
      via: try fields[.via]?.word() ?? .sdk)
  }
}

extension Action.ShareSheet.Item {
  static let mapping = MappingRow(
    "sheetItem", Key.self, "An attachment", where: #""minProperties": 1"#)

  private enum Key: String, MappingKey {
    case file, type

    var row: KeyRow {
      switch self {
      case .file:
        .optional(
          .text, "Name of a file, whose extension determines the type unless `type` is stated")
      case .type:
        .optional(.oneOrMore(.uniformType), "Uniform type, or several, the most faithful one first")
      }
    }
  }

  fileprivate init(_ value: YAMLValue) throws(InputError) {
    let fields = try Fields<Key>(value, "an item")
    guard fields[.file] != nil || fields[.type] != nil else {
      throw value.mistake(.missingKey, "an item needs `file` or `type`")
    }
    self.init(fileName: try fields[.file]?.text())
    for type in try fields[.type]?.oneOrMore() ?? [] {
      types.append(try Name.uniformType(type.text(), at: type.position))
    }
  }
}
