public import Model

extension Action {
  /// An opening of what came last from another device.
  public struct OpenReceived: StepDetail {
    public var guest: String
    /// The way by which it came: AirDrop, mail or message.
    public var carrier: Carrier
  }
}

extension Action.OpenReceived {
  public var actingGuest: String? { guest }

  public var text: String { "\(guest) opens what came by \(carrier.words)" }
}

extension Carrier {
  fileprivate var words: String { self == .airDrop ? "AirDrop" : rawValue }
}

extension Action.OpenReceived {
  static let step = StepRow(
    "Open what came last from another device",
    .mapping(MappingRow("openReceived", Key.self)),
    example: #"{"into": "viewer", "from": "airDrop"}"#,
    [
      "`openReceived: { into, from }`":
        "open what came last from [another device](organizations.md), by `airDrop`, `mail` or `message`"
    ],
    by: .task, expects: .request
  ) { (value, names) throws(Mistake) in .openReceived(try Action.OpenReceived(value, names)) }

  enum Key: String, MappingKey {
    case into, from

    var row: KeyRow {
      switch self {
      case .into: .guest
      case .from:
        .required(.word(of: Carrier.opened.map(\.rawValue)), "How it came")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an opening")
    self.init(
      guest: try names.guest(fields.required(.into)),
      carrier: try fields.required(.from).choice(of: Carrier.opened, named: \.rawValue))
  }
}
