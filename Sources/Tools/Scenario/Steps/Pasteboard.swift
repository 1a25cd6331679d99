internal import Wire

extension Action {
  /// The copying of an item to the pasteboard.
  package struct Copy: RequestStep, GuestStep {
    package var guest: String
    package var item: StepItem
    /// Whether the user's other devices cannot paste the item.
    package var isLocalOnly = false
  }
}

extension Action.Copy {
  package var text: String {
    "\(guest) copies \(item.label)\(isLocalOnly ? " for this device only" : "")"
  }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.copy(item.stated, isLocalOnly ? .local : .everywhere), item.content)
  }

  static let step = StepRow(
    "copy",
    "Copy an item to the pasteboard",
    .mapping(
      MappingRow(
        "copy", Key.self, where: "\"oneOf\": [\(Key.needsItem)]")),
    example: #"{"app": "mail", "text": "Quarterly figures"}"#,
    synonyms: ["cut"],
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.Copy(value, names)) }

  private enum Key: String, ItemKey {
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

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a copy")
    self.init(
      guest: try names.guest(fields.required(.app)),
      item: try StepItem.required(fields, in: value),
      isLocalOnly: try fields[.localOnly]?.bool() ?? false)
  }
}

// MARK: - Paste

extension Action {
  package struct Paste: RequestStep, GuestStep {
    package var guest: String
  }
}

extension Action.Paste {
  package var text: String { "\(guest) pastes" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.paste)
  }

  static let step = StepRow(
    "paste",
    "Paste the item from the pasteboard",
    .mapping(MappingRow("paste", Key.self)),
    example: #"{"app": "viewer"}"#,
    by: .task, expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.Paste(value, names)) }

  private enum Key: String, MappingKey {
    case app

    var row: KeyRow {
      switch self {
      case .app: .guest
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    self.init(guest: try names.guest(Fields<Key>(value, "a paste").required(.app)))
  }
}
