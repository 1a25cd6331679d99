extension Action {
  /// The offer of a user to an app that is locked.
  public struct Unlock: StepDetail {
    public var guest: String
    /// The app PIN; nil: none.
    public var pin: String?
    public var hasBiometrics: Bool
    /// Whether the user signs in with the credentials of a work or school account.
    public var hasCredentials: Bool
    /// Whether `pin` is set as the new PIN.
    public var setsPIN: Bool
    /// Whether the user gives up.
    public var isCancelled = false
  }
}

extension Action.Unlock {
  public var actingGuest: String? { guest }

  public var text: String {
    if isCancelled { return "the user gives up on \(guest)" }
    var offers: [String] = []
    if pin != nil { offers.append(setsPIN ? "a new PIN" : "a PIN") }
    if hasBiometrics { offers.append("biometrics") }
    if hasCredentials { offers.append("credentials") }
    let what = offers.isEmpty ? "nothing" : offers.joined(separator: " and ")
    return "the user offers \(guest) \(what)"
  }
}

extension Action.Unlock {
  static let step = StepRow(
    "Offer an app that is locked what it asks for",
    .mapping(
      MappingRow(
        "unlock", Key.self,
        where:
          #""not": {"anyOf": [{"required": ["pin", "newPIN"]}, {"required": ["pin", "biometrics"]}]}"#
      )),
    example: #"{"app": "mail", "pin": "258025"}"#,
    [
      "`unlock: { app, pin }`":
        "offer an app that is locked what it asks for: `pin` or `biometrics: true`, `newPIN` to set one, `credentials: true` to sign in; with `cancel: true` the user gives up"
    ], expects: .request.subtracting([.received])
  ) { (value, names) throws(Mistake) in .unlock(try Action.Unlock(value, names)) }

  enum Key: String, MappingKey {
    case app, pin, newPIN, biometrics, credentials, cancel

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .pin: .optional(.text, "The app PIN")
      case .newPIN: .optional(.text, "A PIN to set as the new one")
      case .biometrics: .optional(.flag, "Offer the user's finger or face. Default: false")
      case .credentials: .optional(.flag, "Sign in with the work or school account. Default: false")
      case .cancel: .optional(.flag, "The user gives up. Default: false")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
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
