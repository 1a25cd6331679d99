import Transfer

extension Action.Share {
  enum DropKey: String, CaseIterable {
    case from, to, text, type, file
  }

  init(dropping value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<DropKey>(value, "a drop")
    try fields.refuse(.file, beside: .text)
    self.init(
      from: try names.sender(fields.required(.from)),
      to: try names.destination(fields.required(.to)),
      content: .item(
        try Item(text: fields[.text], type: fields[.type], file: fields[.file], in: value)),
      via: .sdk, channel: .dragAndDrop)
  }
}

extension Action.Use {
  enum SaveKey: String, CaseIterable {
    case from, location, account, text, type, file
  }

  init(saving value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<SaveKey>(value, "a save")
    try fields.refuse(.file, beside: .text)
    self.init(
      guest: try names.guest(fields.required(.from)), channel: .saveTo,
      location: try Self.location(
        fields.required(.location), among: StorageLocation.saveLocations))
    try readAccount(fields[.account], names)
    item = try Self.item(fields[.text], fields[.type], fields[.file], value)
  }

  enum OpenKey: String, CaseIterable {
    case into, location, account
  }

  init(opening value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<OpenKey>(value, "an opening")
    self.init(
      guest: try names.guest(fields.required(.into)), channel: .openFrom,
      location: try Self.location(
        fields.required(.location), among: StorageLocation.openLocations))
    try readAccount(fields[.account], names)
  }

  enum FeatureKey: String, CaseIterable {
    case app, feature, text, type, file, externalPage, `extension`
  }

  init(feature value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<FeatureKey>(value, "a use")
    try fields.refuse(.file, beside: .text)
    let features = Channel.allCases.filter { $0.counterpart == .system }
    let feature = try fields.required(.feature).choice(of: features, named: \.rawValue)
    self.init(guest: try names.guest(fields.required(.app)), channel: feature)
    item = try Self.item(fields[.text], fields[.type], fields[.file], value)
    if let value = fields[.extension] { extensionID = try destination(value, names) }
    guard let external = fields[.externalPage] else { return }
    guard channel == .webView else {
      throw external.mistake(.conflictingKeys, "only `webView` has an `externalPage`")
    }
    isExternalPage = try external.bool()
  }

  /// The extension that is to have the data.
  private func destination(_ value: YAMLValue, _ names: Names) throws(Mistake) -> String {
    let features = ExtensionPoint.allCases.compactMap(\.channel).filter {
      $0.counterpart == .system
    }
    guard features.contains(channel) else {
      throw value.mistake(
        .conflictingKeys, "no extension gets what goes to the feature `\(channel.rawValue)`")
    }
    guard item != nil else {
      throw value.mistake(.conflictingKeys, "an extension needs something to work on; add `text`")
    }
    return try names.destination(value)
  }

  enum ContactKey: String, CaseIterable {
    case into, from
  }

  init(contacts value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<ContactKey>(value, "a reading of contacts")
    self.init(
      guest: try names.guest(fields.required(.into)), channel: .contactRead,
      source: try names.destination(fields.required(.from)))
  }

  private static func location(
    _ value: YAMLValue, among locations: [StorageLocation]
  ) throws(Mistake) -> StorageLocation {
    try value.choice(of: locations, named: \.rawValue)
  }

  /// Without it, the account is nil.
  private mutating func readAccount(_ value: YAMLValue?, _ names: Names) throws(Mistake) {
    guard let value else { return }
    guard location?.hasAccount != false else {
      throw value.mistake(
        .conflictingKeys, "`\(location?.rawValue ?? "")` belongs to no account; leave `account` out"
      )
    }
    account = try names.identity(value)
  }

  private static func item(
    _ text: YAMLValue?, _ type: YAMLValue?, _ file: YAMLValue?, _ value: YAMLValue
  ) throws(Mistake) -> Item? {
    guard text != nil || file != nil else { return nil }
    return try Item(text: text, type: type, file: file, in: value)
  }
}
