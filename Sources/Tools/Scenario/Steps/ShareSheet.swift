public import Model

extension Action {
  /// A look at the share sheet that the system would show.
  public struct ShareSheet: StepDetail {
    /// The name of the sharing guest.
    public var from: String
    /// The items that would be shared, at least one.
    public var items: [Item]
    public var via: SharingPath

    /// One item that would be shared.
    public struct Item: Sendable, Equatable {
      /// The name of the file; nil: the item is no file.
      public var fileName: String?
      /// The uniform types; empty: those that the file's name stands for.
      public var types: [String]

      /// Creates an item of a file or of uniform types.
      package init(fileName: String? = nil, types: [String] = []) {
        self.fileName = fileName
        self.types = types
      }
    }

    /// Creates a look at the share sheet of a guest.
    package init(from: String, items: [Item], via: SharingPath = .sdk) {
      self.from = from
      self.items = items
      self.via = via
    }
  }
}

extension Action.ShareSheet {
  public var actingGuest: String? { from }

  public var text: String {
    let what = items.map { item in
      item.fileName.map { "`\(short($0))`" } ?? item.types.joined(separator: " or ")
    }
    return "\(from) looks at the share sheet for \(what.joined(separator: ", "))\(via.text)"
  }
}

extension Action.ShareSheet {
  static let step = StepRow(
    "Look at what the system would offer to share with",
    .mapping(MappingRow("shareSheet", Key.self)),
    example: #"{"from": "mail", "items": {"file": "figures.pdf"}}"#,
    [
      "`shareSheet: { from, items }`":
        "look at the [share sheet](share-sheet.md) that an app's user would see; nothing is shared"
    ],
    by: .task, expects: [.shown, .encrypted, .hidden]
  ) { (value, names) throws(Mistake) in .shareSheet(try Action.ShareSheet(value, names)) }

  enum Key: String, MappingKey {
    case from, items, via

    var row: KeyRow {
      switch self {
      case .from: .required(.name, "Name of the sharing guest")
      case .items: .required(.oneOrMore(.reference("sheetItem")), "What would be shared, at once")
      case .via: .via
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
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
    "sheetItem", Key.self, "One thing that would be shared", where: #""minProperties": 1"#)

  enum Key: String, MappingKey {
    case file, type

    var row: KeyRow {
      switch self {
      case .file: .optional(.text, "Name of a file; without `type` its ending tells the type")
      case .type:
        .optional(.oneOrMore(.uniformType), "Uniform type, or several, the most faithful one first")
      }
    }
  }

  init(_ value: YAMLValue) throws(Mistake) {
    let fields = try Fields<Key>(value, "an item")
    guard fields[.file] != nil || fields[.type] != nil else {
      throw value.mistake(.missingKey, "an item needs `file` or `type`")
    }
    self.init(fileName: try fields[.file]?.text())
    for type in try fields[.type]?.oneOrMore() ?? [] {
      types.append(try AppSpecification.uniformType(type))
    }
  }
}
