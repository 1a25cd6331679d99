public import Model

extension Action {
  /// An item that an app sends to another device by AirDrop.
  public struct AirDrop: StepDetail {
    public var guest: String
    /// The name of the device that the user picks.
    public var device: String
    public var item: StepItem
    /// The share sheet that AirDrop is chosen in.
    public var via: SharingPath
  }
}

extension Action.AirDrop {
  public var actingGuest: String? { guest }

  public var text: String { "\(guest) sends \(item.label) to \(device) by AirDrop\(via.text)" }
}

extension Action.AirDrop {
  static let step = StepRow(
    "Send an item to another device by AirDrop",
    .mapping(MappingRow("airDrop", Key.self, where: "\"oneOf\": [\(Key.needsItem)]")),
    example: #"{"from": "mail", "to": "ben-phone", "text": "Quarterly figures"}"#,
    [
      "`airDrop: { from, to, text }`":
        "send an item to [another device](organizations.md) by AirDrop"
    ],
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(Mistake) in .airDrop(try Action.AirDrop(value, names)) }

  enum Key: String, ItemKey {
    case from, to, text, type, file, item, via

    var row: KeyRow {
      switch self {
      case .from: .guest
      case .to: .device
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      case .via: .via
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an AirDrop")
    self.init(
      guest: try names.guest(fields.required(.from)),
      device: try names.device(fields.required(.to)),
      item: try StepItem.required(fields, in: value), via: try fields[.via]?.word() ?? .sdk)
  }
}

extension KeyRow {
  static let device = required(.name, "Name of another device of the scenario")
}
