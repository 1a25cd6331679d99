extension Action {
  /// A copy of an item to the pasteboard.
  public struct Copy: StepDetail {
    public var guest: String
    public var item: StepItem
    /// Whether other devices of the user may not paste it.
    public var isLocalOnly = false
  }
}

extension Action.Copy {
  public var actingGuest: String? { guest }

  public var text: String {
    "\(guest) copies \(item.label)\(isLocalOnly ? " for this device only" : "")"
  }
}

extension Action.Copy {
  static let step = StepRow(
    "Put an item on the pasteboard",
    .mapping(
      MappingRow(
        "copy", Key.self, where: "\"oneOf\": [\(Key.needsItem)]")),
    example: #"{"app": "mail", "text": "Quarterly figures"}"#,
    [
      "`copy: { app, text }`":
        "put an item on the pasteboard; with `localOnly: true` for [this device](organizations.md) alone"
    ],
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(Mistake) in .copy(try Action.Copy(value, names)) }

  enum Key: String, ItemKey {
    case app, text, type, file, item, localOnly

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      case .localOnly:
        .optional(
          .flag,
          "The user's other devices cannot paste it (`UIPasteboard.OptionsKey.localOnly`). Default: false"
        )
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a copy")
    self.init(
      guest: try names.guest(fields.required(.app)),
      item: try StepItem.required(fields, in: value),
      isLocalOnly: try fields[.localOnly]?.bool() ?? false)
  }
}
