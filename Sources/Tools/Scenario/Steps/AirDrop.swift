package import Model
internal import Wire

extension Action {
  package struct AirDrop: RequestStep, GuestStep {
    package var guest: String
    /// The name of the destination device.
    package var device: String
    package var item: StepItem
    /// The path of the share sheet in which the user chooses AirDrop.
    package var via: SharingPath
  }
}

extension Action.AirDrop {
  package var text: String { "\(guest) sends \(item.label) to \(device) by AirDrop\(via.text)" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.airDrop(Wire.AirDrop(item.stated, to: device, via: via)), item.content)
  }

  static let step = StepRow(
    "airDrop",
    "Send an item to another device by AirDrop",
    .mapping(MappingRow("airDrop", Key.self, where: "\"oneOf\": [\(Key.needsItem)]")),
    example: #"{"from": "mail", "to": "ben-phone", "text": "Quarterly figures"}"#,
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.AirDrop(value, names)) }

  private enum Key: String, ItemKey {
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

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
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

// MARK: - Opening received items

extension Action {
  /// A guest's opening of the last item that the device received from another device.
  package struct OpenReceived: RequestStep, GuestStep {
    package var guest: String
    /// The transport with which the item arrived: AirDrop, mail or message.
    package var transport: Transport
  }
}

extension Action.OpenReceived {
  package var text: String { "\(guest) opens the item received by \(transport.words)" }
}

extension Transport {
  fileprivate var words: String { self == .airDrop ? "AirDrop" : rawValue }
}

extension Action.OpenReceived {
  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.openReceived(carrier: transport.rawValue))
  }

  static let step = StepRow(
    "openReceived",
    "Open the last item from another device",
    .mapping(MappingRow("openReceived", Key.self)),
    example: #"{"into": "viewer", "from": "airDrop"}"#,
    by: .task, expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.OpenReceived(value, names)) }

  private enum Key: String, MappingKey {
    case into, from

    var row: KeyRow {
      switch self {
      case .into: .guest
      case .from:
        .required(.word(of: Transport.opened.map(\.rawValue)), "The kind of transfer")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an opening")
    self.init(
      guest: try names.guest(fields.required(.into)),
      transport: try fields.required(.from).choice(of: Transport.opened, named: \.rawValue))
  }
}
