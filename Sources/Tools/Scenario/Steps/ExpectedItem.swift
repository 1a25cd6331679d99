extension Action {
  /// An item that has come to an app, or will. A property that is nil matches any value.
  public struct ExpectedItem: Sendable, Equatable {
    /// The name of the guest or the extension that gets the item.
    public var guest: String
    public var text: String?
    /// The uniform type.
    public var type: String?
    /// The name of the guest that the item comes from, or a bundle id.
    public var sender: String?

    /// Creates an expected item.
    public init(guest: String, text: String? = nil, type: String? = nil, sender: String? = nil) {
      self.guest = guest
      self.text = text
      self.type = type
      self.sender = sender
    }
  }
}

extension Action.ExpectedItem {
  /// The item in a phrase, such as `` `Minutes` of the type public.text from mail ``.
  public var words: String {
    let what = text.map { Excerpt($0).words } ?? "an item"
    return what + (type.map { " of the type \($0)" } ?? "") + (sender.map { " from \($0)" } ?? "")
  }
}

extension Action.ExpectedItem {
  static let mapping = MappingRow(
    "expectedItem", Key.self,
    "An item that has come to an app since the case began, and that no step has waited for before")

  enum Key: String, MappingKey {
    case app, text, type, from

    var row: KeyRow {
      switch self {
      case .app: .required(.name, "Name of the guest that gets it, or of an extension")
      case .text: .optional(.text, "All of its text. Default: any")
      case .type: .optional(.name, "Its uniform type. Default: any")
      case .from:
        .optional(.name, "Name of the guest that it comes from, or a bundle id. Default: any")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an item to wait for")
    self.init(
      guest: try names.guest(fields.required(.app)), text: try fields[.text]?.text(),
      type: try fields[.type]?.text(), sender: try fields[.from].map(names.destination))
  }
}
