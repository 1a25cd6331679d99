extension Action {
  /// A paste of the item on the pasteboard.
  public struct Paste: StepDetail {
    public var guest: String
  }
}

extension Action.Paste {
  public var actingGuest: String? { guest }

  public var text: String { "\(guest) pastes" }
}

extension Action.Paste {
  static let step = StepRow(
    "Take the item from the pasteboard",
    .mapping(MappingRow("paste", Key.self)),
    example: #"{"app": "viewer"}"#,
    [
      "`paste: { app }`": "take it from there"
    ],
    by: .task, expects: .request
  ) { (value, names) throws(Mistake) in .paste(try Action.Paste(value, names)) }

  enum Key: String, MappingKey {
    case app

    var row: KeyRow {
      switch self {
      case .app: .guest
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    self.init(guest: try names.guest(Fields<Key>(value, "a paste").required(.app)))
  }
}
