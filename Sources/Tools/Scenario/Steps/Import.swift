public import Model

extension Action {
  /// An import of an item from another app.
  public struct Import: StepDetail {
    /// The name of the guest that asks for the item.
    public var into: String
    /// The name of the guest that is asked, or a bundle id.
    public var from: String
    public var via: SharingPath
  }
}

extension Action.Import {
  public var actingGuest: String? { into }

  public var text: String { "\(into) imports from \(from)\(via.text)" }
}

extension Action.Import {
  static let step = StepRow(
    "Ask another app for an item",
    .mapping(MappingRow("import", Key.self)),
    example: #"{"into": "mail", "from": "viewer"}"#,
    [
      "`import: { into, from }`": "ask another app for an item"
    ],
    by: .task, expects: .request
  ) { (value, names) throws(Mistake) in .import(try Action.Import(value, names)) }

  enum Key: String, MappingKey {
    case into, from, via

    var row: KeyRow {
      switch self {
      case .into: .guest
      case .from: .destination
      case .via: .via
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an import")
    self.init(
      into: try names.guest(fields.required(.into)),
      from: try names.destination(fields.required(.from)),
      via: try fields[.via]?.word() ?? .sdk)
  }
}
