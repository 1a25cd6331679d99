package import Model
internal import Wire

extension Action {
  /// A user's interaction with an alert, a share sheet or a document picker, in an app with its own program.
  package struct Interaction: RequestStep, GuestStep {
    package var guest: String
    package var kind: Kind

    package enum Kind: Sendable, Equatable {
      /// Taps the button with this title.
      ///
      /// - Parameter alert: The title of the alert; nil for any alert.
      case tap(button: String, alert: String?)
      /// Chooses the guest with this name or bundle id in the share sheet.
      case choose(destination: String)
      /// Chooses a document, or a location in which to save a document. If `item` is nil, the location's existing
      /// content is chosen.
      case pick(item: Item?, location: StorageLocation?, account: IdentityReference)
      /// Closes the sign-in, share sheet or document picker.
      case cancel
    }
  }
}

extension Action.Interaction {
  package var receiver: String? {
    if case .choose(let destination) = kind { destination } else { nil }
  }

  package var text: String {
    let user = "the user of \(guest)"
    switch kind {
    case .tap(let button, let alert):
      return "\(user) taps `\(short(button))`\(alert.map { " of `\(short($0))`" } ?? "")"
    case .choose(let destination): return "\(user) chooses \(destination) in the share sheet"
    case .pick(let item, let location, let account):
      let what = item?.label ?? "a document"
      let place = location.map { " at \($0.rawValue)" } ?? ""
      let owner = account == .unset ? "" : " of \(account.text)"
      return "\(user) picks \(what)\(place)\(owner)"
    case .cancel: return "\(user) dismisses the app's prompt without a choice"
    }
  }

  package func request(in world: some StepWorld) -> StepRequest {
    switch kind {
    case .tap(let button, let alert): .act(.tap(button: button, title: alert))
    case .choose(let destination): .act(.choose(world.shareDestination(destination)))
    case .pick(let item, let location, let account):
      .act(.pick(PickedDocument(item, location: location, account: account.accountID(world))))
    case .cancel: .act(.cancel)
    }
  }

  static let tap = StepRow(
    "tap",
    "Tap a button of the alert that an app with its own program shows",
    .mapping(MappingRow("tap", TapKey.self)),
    example: #"{"app": "mail", "button": "Remove"}"#,
    expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.Interaction(tap: value, names)) }

  static let choose = StepRow(
    "chooseActivity",
    "Choose an app or extension in the share sheet that an app with its own program shows",
    .mapping(MappingRow("chooseActivity", ChooseKey.self)),
    example: #"{"app": "mail", "to": "viewer"}"#,
    expects: .request
  ) { (value, names) throws(InputError) in Action(try Action.Interaction(choose: value, names)) }

  static let pick = StepRow(
    "pickDocument",
    "Choose a document in the picker that an app with its own program shows; for an export, "
      + "the place",
    .mapping(
      MappingRow(
        "pickDocument", PickKey.self,
        where:
          #""not": {"required": ["text", "file"]}, "if": {"required": ["account"]}, "then": {"required": ["location"]}"#
      )),
    example: #"{"app": "mail", "file": {"name": "figures.txt", "text": "Quarterly figures"}}"#,
    expects: .request.subtracting([.received])
  ) { (value, names) throws(InputError) in Action(try Action.Interaction(pick: value, names)) }

  static let cancel = StepRow(
    "cancel",
    "Close the sign-in, share sheet or document picker that an app with its own program shows",
    .value(.name),
    example: #""mail""#,
    expects: [.exit, .identity, .managed]
  ) { (value, names) throws(InputError) in
    Action(Action.Interaction(guest: try names.guest(value), kind: .cancel))
  }

  private enum TapKey: String, MappingKey {
    case app, button, alert

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .button: .required(.text, "The button's title")
      case .alert: .optional(.text, "The alert's title. Default: any")
      }
    }
  }

  private init(tap value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<TapKey>(value, "a tap")
    self.init(
      guest: try names.guest(fields.required(.app)),
      kind: .tap(button: try fields.required(.button).text(), alert: try fields[.alert]?.text()))
  }

  private enum ChooseKey: String, MappingKey {
    case app, to

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .to: .destination
      }
    }
  }

  private init(choose value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<ChooseKey>(value, "a choice")
    self.init(
      guest: try names.guest(fields.required(.app)),
      kind: .choose(destination: try names.destination(fields.required(.to))))
  }

  private enum PickKey: String, MappingKey {
    case app, text, type, file, location, account

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .text: .itemText
      case .type: .itemType
      case .file: .itemFile
      case .location:
        .optional(
          .word(of: StorageLocation.allCases.map(\.rawValue)),
          "The SDK's name of the storage location. Default: the files of the phone")
      case .account: .locationAccount
      }
    }
  }

  private init(pick value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<PickKey>(value, "a choice")
    try fields.rejectConflict(.file, with: .text)
    let item = try Item.optional(
      text: fields[.text], type: fields[.type], file: fields[.file])
    let location = try fields[.location]?.choice(of: StorageLocation.allCases, named: \.rawValue)
    var account = IdentityReference.unset
    if let stated = fields[.account] {
      guard location?.hasAccount == true else {
        throw stated.mistake(
          .conflictingKeys,
          location.map { "`\($0.rawValue)` belongs to no account; leave `account` out" }
            ?? "`account` requires a `location`; add one")
      }
      account = try names.identity(stated)
    }
    self.init(
      guest: try names.guest(fields.required(.app)),
      kind: .pick(item: item, location: location, account: account))
  }
}

// MARK: - Unlocking an app

extension Action {
  /// A user's input to a locked app.
  package struct Unlock: RequestStep, GuestStep {
    package var guest: String
    /// The app PIN; nil if none is entered.
    package var pin: String?
    package var hasBiometrics: Bool
    /// Whether the user signs in with the credentials of a work or school account.
    package var hasCredentials: Bool
    /// Whether `pin` is set as the new PIN.
    package var setsPIN: Bool
    package var isCancelled = false
  }
}

extension Action.Unlock {
  package var text: String {
    if isCancelled { return "the user cancels the prompt of \(guest)" }
    var offers: [String] = []
    if pin != nil { offers.append(setsPIN ? "a new PIN" : "a PIN") }
    if hasBiometrics { offers.append("biometrics") }
    if hasCredentials { offers.append("credentials") }
    let what = offers.isEmpty ? "nothing" : offers.joined(separator: " and ")
    return "the user offers \(guest) \(what)"
  }

  package func request(in world: some StepWorld) -> StepRequest {
    StepRequest(
      .unlock(
        Wire.Unlock(
          pin: pin ?? "", hasBiometrics: hasBiometrics, hasCredentials: hasCredentials,
          setsPIN: setsPIN, isCancelled: isCancelled)))
  }

  static let step = StepRow(
    "unlock",
    "Answer the prompt of a locked app",
    .mapping(
      MappingRow(
        "unlock", Key.self,
        where:
          #""not": {"anyOf": [{"required": ["pin", "newPIN"]}, {"required": ["pin", "biometrics"]}]}"#
      )),
    example: #"{"app": "mail", "pin": "258025"}"#,
    synonyms: ["pin", "enterpin", "authenticate"], expects: .request.subtracting([.received])
  ) { (value, names) throws(InputError) in Action(try Action.Unlock(value, names)) }

  private enum Key: String, MappingKey {
    case app, pin, newPIN, biometrics, credentials, cancel

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .pin: .optional(.text, "The app PIN")
      case .newPIN: .optional(.text, "A PIN to set as the new one")
      case .biometrics: .optional(.flag, "The user's finger or face. Default: false")
      case .credentials: .optional(.flag, "Sign in with the work or school account. Default: false")
      case .cancel: .optional(.flag, "The user cancels the prompt. Default: false")
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an unlocking")
    try fields.rejectConflict(.newPIN, with: .pin)
    try fields.rejectConflict(.biometrics, with: .pin)
    let newPIN = try fields[.newPIN]?.text()
    self.init(
      guest: try names.guest(fields.required(.app)), pin: try fields[.pin]?.text() ?? newPIN,
      hasBiometrics: try fields[.biometrics]?.bool() ?? false,
      hasCredentials: try fields[.credentials]?.bool() ?? false, setsPIN: newPIN != nil,
      isCancelled: try fields[.cancel]?.bool() ?? false)
  }
}
