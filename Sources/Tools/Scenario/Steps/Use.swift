internal import Encodings
package import Model
internal import Wire

extension Action {
  /// A transfer to or from the system, a storage location, or another app's contacts.
  package struct Use: RequestStep, GuestStep {
    package var guest: String
    package var channel: Channel
    /// The storage location; nil for steps other than `saveTo` and `openFrom`.
    package var location: StorageLocation?
    /// The storage location's account.
    package var account: IdentityReference = .unset
    /// The item that the guest sends; nil if the guest receives data, or if the step only checks whether the transfer
    /// is allowed.
    package var item: StepItem?
    /// Whether a web view shows a page that does not belong to the account.
    package var isExternalPage: Bool = false
    /// The name or bundle id of the guest that contacts are read from; nil for other channels.
    package var source: String?
    /// The name or bundle id of the extension that receives the item; nil if there is none.
    package var extensionID: String?
    /// The name of the device to which a mail or message is addressed; nil if the message leaves the organisation.
    package var device: String?
  }
}

extension Action.Use {
  package var text: String {
    let place = location.map { "\($0.rawValue) of \(account.text)" } ?? ""
    let what = item.map { "\($0.label) " } ?? ""
    return switch channel.counterpart {
    case .location:
      channel.isIncoming
        ? "\(guest) opens \(what)from \(place)" : "\(guest) saves \(what)to \(place)"
    case .app: "\(guest) reads contacts of \(source ?? "")"
    case .system, .url:
      "\(guest) uses \(channel.rawValue)\(item.map { " with \($0.label)" } ?? "")"
        + (extensionID.map { " in \($0)" } ?? "") + (device.map { " to \($0)" } ?? "")
    }
  }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(
      .use(
        Wire.Use(
          channel: channel.rawValue, location: location?.rawValue ?? "",
          account: account.accountID(world), item: item?.stated, isExternalPage: isExternalPage,
          source: source ?? "", extensionID: extensionID ?? "", device: device ?? "")),
      item?.content ?? .stated)
  }

  private static let features = Channel.allCases.filter { $0.counterpart == .system }

  static let saveTo = StepRow(
    "saveTo",
    "Save a copy to a storage location; without an item, ask whether that is allowed",
    .mapping(
      MappingRow(
        "saveTo", SaveKey.self,
        where:
          #""not": {"anyOf": [{"required": ["text", "file"]}, {"required": ["text", "item"]}, {"required": ["file", "item"]}, {"required": ["type", "item"]}]}, "if": {"properties": {"location": {"enum": ["cameraRoll"]}}, "required": ["location"]}, "then": {"not": {"required": ["account"]}}"#
      )),
    example:
      #"{"from": "mail", "location": "oneDriveForBusiness", "account": "anna", "text": "Quarterly figures"}"#,
    synonyms: ["save", "upload", "saveas", "export"],
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.Use(saving: value, names)) }

  static let openFrom = StepRow(
    "openFrom",
    "Open a document from a storage location",
    .mapping(
      MappingRow(
        "openFrom", OpenKey.self,
        where:
          #""if": {"properties": {"location": {"enum": ["camera", "photos"]}}, "required": ["location"]}, "then": {"not": {"required": ["account"]}}"#
      )),
    example: #"{"into": "mail", "location": "camera"}"#,
    synonyms: ["download"],
    by: .task, expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.Use(opening: value, names)) }

  static let use = StepRow(
    "use",
    "Hand org data to the system, or ask whether that is allowed",
    .mapping(
      MappingRow(
        "use", FeatureKey.self,
        where:
          #""not": {"anyOf": [{"required": ["text", "file"]}, {"required": ["text", "item"]}, {"required": ["file", "item"]}, {"required": ["type", "item"]}]}, "if": {"required": ["externalPage"]}, "then": {"properties": {"feature": {"const": "webView"}}}"#
      )),
    example: #"{"app": "mail", "feature": "print", "text": "Quarterly figures"}"#,
    synonyms: ["print", "feature", "backup"],
    by: .task, expects: .request.subtracting([.received, .identity, .managed]).union([.returned])
  ) { (value, names) throws(InputError) in Action(try Action.Use(feature: value, names)) }

  static let readContacts = StepRow(
    "readContacts",
    "Read another app's contacts",
    .mapping(MappingRow("readContacts", ContactKey.self)),
    example: #"{"into": "viewer", "from": "mail"}"#,
    by: .task, expects: .request.subtracting([.received, .identity, .managed])
  ) { (value, names) throws(InputError) in Action(try Action.Use(contacts: value, names))
  }

  private enum SaveKey: String, ItemKey {
    case from, location, account, text, type, file, item

    var row: KeyRow {
      switch self {
      case .from: .guest
      case .location:
        .required(
          .word(of: StorageLocation.saveLocations.map(\.rawValue)),
          "The SDK's name of the location",
          synonyms: ["destination", "place", "service", "storage", "to", "where"])
      case .account: .locationAccount
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      }
    }
  }

  private init(saving value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<SaveKey>(value, "a save")
    self.init(
      guest: try names.guest(fields.required(.from)), channel: .saveTo,
      location: try Self.location(
        fields.required(.location), among: StorageLocation.saveLocations))
    try readAccount(fields[.account], names)
    item = try StepItem.optional(fields)
  }

  private enum OpenKey: String, MappingKey {
    case into, location, account

    var row: KeyRow {
      switch self {
      case .into: .guest
      case .location:
        .required(
          .word(of: StorageLocation.openLocations.map(\.rawValue)),
          "The SDK's name of the location",
          synonyms: ["from", "place", "service", "source", "storage", "where"])
      case .account: .locationAccount
      }
    }
  }

  private init(opening value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<OpenKey>(value, "an opening")
    self.init(
      guest: try names.guest(fields.required(.into)), channel: .openFrom,
      location: try Self.location(
        fields.required(.location), among: StorageLocation.openLocations))
    try readAccount(fields[.account], names)
  }

  private enum FeatureKey: String, ItemKey {
    case app, feature, text, type, file, item, externalPage, `extension`, to

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .feature:
        .required(.word(of: Action.Use.features.map(\.rawValue)), "The system feature")
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .item: .heldItem
      case .externalPage:
        .optional(
          .flag,
          "Whether the web view's page does not belong to the account; `webView` only. Default: false"
        )
      case .extension:
        .optional(
          .name,
          "The extension that gets the item, by name or bundle id: a keyboard, notification service, Safari web extension or file provider"
        )
      case .to:
        .optional(
          .name,
          "The device that the message is addressed to; `mailComposer` and `messageComposer` only. Default: a recipient outside"
        )
      }
    }
  }

  private init(feature value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<FeatureKey>(value, "a use")
    let feature = try fields.required(.feature).choice(of: Self.features, named: \.rawValue)
    self.init(guest: try names.guest(fields.required(.app)), channel: feature)
    item = try StepItem.optional(fields)
    if let value = fields[.extension] { extensionID = try destination(value, names) }
    if let value = fields[.to] { device = try addressee(value, names) }
    guard let external = fields[.externalPage] else { return }
    guard channel == .webView else {
      throw external.mistake(.conflictingKeys, "only `webView` has an `externalPage`")
    }
    isExternalPage = try external.bool()
  }

  private func addressee(_ value: YAMLValue, _ names: Names) throws(InputError) -> String {
    guard [.mailComposer, .messageComposer].contains(channel) else {
      throw value.mistake(
        .conflictingKeys, "only `mailComposer` and `messageComposer` address another device")
    }
    guard item != nil else {
      throw value.mistake(.conflictingKeys, "`to` needs an item; add `text`")
    }
    return try names.device(value)
  }

  /// Reads the name or bundle id of the extension that receives the data.
  private func destination(_ value: YAMLValue, _ names: Names) throws(InputError) -> String {
    let features = ExtensionPoint.allCases.compactMap(\.channel).filter {
      $0.counterpart == .system
    }
    guard features.contains(channel) else {
      throw value.mistake(
        .conflictingKeys, "the feature `\(channel.rawValue)` passes no data to an extension")
    }
    guard item != nil else {
      throw value.mistake(.conflictingKeys, "an extension needs an item; add `text`")
    }
    return try names.destination(value)
  }

  private enum ContactKey: String, MappingKey {
    case into, from

    var row: KeyRow {
      switch self {
      case .into: .guest
      case .from: .destination
      }
    }
  }

  private init(contacts value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<ContactKey>(value, "a reading of contacts")
    self.init(
      guest: try names.guest(fields.required(.into)), channel: .contactRead,
      source: try names.destination(fields.required(.from)))
  }

  private static func location(
    _ value: YAMLValue, among locations: [StorageLocation]
  ) throws(InputError) -> StorageLocation {
    try value.choice(of: locations, named: \.rawValue)
  }

  /// Reads the location's account. Without `account`, the account stays unset.
  private mutating func readAccount(_ value: YAMLValue?, _ names: Names) throws(InputError) {
    guard let value else { return }
    guard location?.hasAccount != false else {
      throw value.mistake(
        .conflictingKeys, "`\(location?.rawValue ?? "")` belongs to no account; leave `account` out"
      )
    }
    account = try names.identity(value)
  }
}

// MARK: - URL

extension Action {
  package struct OpenURL: RequestStep {
    package var from: String
    package var url: String
    /// Whether the app states that a managed app registered the URL's scheme.
    package var isKnownManagedScheme: Bool
    /// Whether the URL may be opened only in an app that claims it as a universal link.
    package var isUniversalLinkOnly = false
  }
}

extension Action.OpenURL {
  package var actingGuest: String? { from }

  package var text: String { "\(from) opens `\(short(url))`" }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(
      .openURL(
        Wire.OpenURL(
          url, isKnownManagedScheme: isKnownManagedScheme,
          isUniversalLinkOnly: isUniversalLinkOnly)))
  }

  static let step = StepRow(
    "openURL",
    "Open a URL in the app that claims it as a universal link, in its App Clip, or in the app that registered its scheme",
    .mapping(MappingRow("openURL", Key.self)),
    example: #"{"from": "mail", "url": "https://example.org/"}"#,
    synonyms: ["open", "url", "link", "browse"],
    by: .task, expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.OpenURL(value, names)) }

  private enum Key: String, MappingKey {
    case from, url, knownManagedScheme, universalLinksOnly

    var row: KeyRow {
      switch self {
      case .from: .guest
      case .url: .required(.name(matching: #"^[A-Za-z][A-Za-z0-9+.-]*:"#), "The URL")
      case .knownManagedScheme:
        .optional(
          .flag,
          "Whether the app states that the scheme belongs to a managed app; used only "
            + "if no app on the device opens the URL. Default: false")
      case .universalLinksOnly:
        .optional(.flag, "Whether only an app that claims the link may open it. Default: false")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "opening a URL")
    let url = try fields.required(.url)
    let text = try url.text()
    guard let colon = text.firstIndex(of: ":"), text[..<colon].isURLScheme else {
      throw url.mistake(
        .invalidValue, "`url` must begin with a scheme and a colon, found `\(text)`")
    }
    self.init(
      from: try names.guest(fields.required(.from)), url: text,
      isKnownManagedScheme: try fields[.knownManagedScheme]?.bool() ?? false,
      isUniversalLinkOnly: try fields[.universalLinksOnly]?.bool() ?? false)
  }
}

// MARK: - Extension call

extension Action {
  /// A call from an app to a VPN or single sign-on extension, through the system.
  package struct ExtensionCall: RequestStep, GuestStep {
    package var guest: String
    /// The name or bundle id of the extension.
    package var extensionID: String
    package var item: Item
  }
}

extension Action.ExtensionCall {
  package var text: String {
    "\(guest) calls the extension \(extensionID) with `\(short(item.text ?? ""))`"
  }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(.callExtension(Wire.ExtensionCall(extensionID, with: item)))
  }

  static let step = StepRow(
    "callExtension",
    "Send an app's request to a VPN or single sign-on extension through the system; its "
      + "answer is `returned`",
    .mapping(MappingRow("callExtension", Key.self)),
    example: #"{"app": "mail", "extension": "tunnel", "text": "connect"}"#,
    expects: .request.subtracting([.received, .identity, .managed]).union([.returned]),
    page: "managed-app.md#vpn-and-single-sign-on"
  ) { (value, names) throws(InputError) in Action(try Action.ExtensionCall(value, names)) }

  private enum Key: String, MappingKey {
    case app, `extension`, text

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .extension:
        .required(
          .name,
          "Name or bundle id of the extension: a `packetTunnel` of the app, or any `singleSignOn`")
      case .text: .required(.name, "The request")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a call of an extension")
    self.init(
      guest: try names.guest(fields.required(.app)),
      extensionID: try names.destination(fields.required(.extension)),
      item: Item(text: try fields.required(.text).text()))
  }
}
