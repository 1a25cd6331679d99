public import Transfer

extension Action {
  /// An app has the system ask something of a VPN or single sign-on extension.
  public struct ExtensionCall: Sendable, Equatable {
    public var guest: String
    /// Name of the extension, or a bundle id.
    public var extensionID: String
    public var item: Item
  }
}

extension Action.ExtensionCall {
  enum Key: String, CaseIterable {
    case app, `extension`, text
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a call of an extension")
    self.init(
      guest: try names.guest(fields.required(.app)),
      extensionID: try names.destination(fields.required(.extension)),
      item: Item(text: try fields.required(.text).text()))
  }

  var text: String {
    "\(guest) calls the extension \(extensionID) with `\(short(item.text ?? ""))`"
  }
}
