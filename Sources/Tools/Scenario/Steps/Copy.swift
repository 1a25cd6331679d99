extension Action {
  /// A copy of an item to the pasteboard.
  public struct Copy: StepDetail {
    public var guest: String
    public var item: StepItem
  }
}

extension Action.Copy {
  public var actingGuest: String? { guest }

  public var text: String { "\(guest) copies \(item.label)" }
}

extension Action.Copy {
  static let step = StepRow(
    "Put an item on the pasteboard",
    .mapping(
      MappingRow(
        "copy", Key.self, where: "\"oneOf\": [\(Key.needsItem)]")),
    example: #"{"app": "mail", "text": "Quarterly figures"}"#,
    [
      "`copy: { app, text }`": "put an item on the pasteboard"
    ],
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(Mistake) in .copy(try Action.Copy(value, names)) }

  enum Key: String, ItemKey {
    case app, text, type, file, item

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a copy")
    self.init(
      guest: try names.guest(fields.required(.app)),
      item: try StepItem.required(fields, in: value))
  }
}
