public import Model

extension Action {
  /// A request of an app to a VPN or single sign-on extension, through the system.
  public struct ExtensionCall: StepDetail {
    public var guest: String
    /// The name of the extension, or a bundle id.
    public var extensionID: String
    public var item: Item
  }
}

extension Action.ExtensionCall {
  public var actingGuest: String? { guest }

  public var text: String {
    "\(guest) calls the extension \(extensionID) with `\(short(item.text ?? ""))`"
  }
}

extension Action.ExtensionCall {
  static let step = StepRow(
    "Have the system ask something of a VPN or single sign-on extension for an app",
    .mapping(MappingRow("callExtension", Key.self)),
    example: #"{"app": "mail", "extension": "tunnel", "text": "connect"}"#,
    [
      "`callExtension: { app, extension, text }`":
        "have the system ask something of a [VPN or single sign-on](managed-app.md#vpn-and-single-sign-on) extension for the app; what it answers is `returned`"
    ], expects: .request.subtracting([.received, .identity, .managed]).union([.returned])
  ) { (value, names) throws(Mistake) in .callExtension(try Action.ExtensionCall(value, names)) }

  enum Key: String, MappingKey {
    case app, `extension`, text

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .extension:
        .required(
          .name,
          "Name or bundle id of the extension: a `packetTunnel` of the app, or any `singleSignOn`")
      case .text: .required(.name, "What the app asks")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a call of an extension")
    self.init(
      guest: try names.guest(fields.required(.app)),
      extensionID: try names.destination(fields.required(.extension)),
      item: Item(text: try fields.required(.text).text()))
  }
}
