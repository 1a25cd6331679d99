extension Action {
  /// A switch of an app, a window or a process to another identity.
  public struct IdentitySwitch: StepDetail {
    public var guest: String
    public var identity: IdentityReference
    /// The name of the window; `""` is the main one.
    public var window = ""
    /// Whether the process switches, and no window.
    public var isOfProcess = false
    /// The names of further accounts that the window shows data of.
    public var others: [String] = []
  }
}

extension Action.IdentitySwitch {
  public var actingGuest: String? { guest }

  public var text: String {
    let who = ([identity.text] + others).joined(separator: " and ")
    let place = isOfProcess ? " in its process" : window.isEmpty ? "" : " in window `\(window)`"
    return "\(guest) switches to \(who)\(place)"
  }
}

extension Action.IdentitySwitch {
  static let step = StepRow(
    "Act for another account",
    .mapping(
      MappingRow("identitySwitch", Key.self, where: #""not": {"required": ["window", "process"]}"#)),
    example: #"{"app": "mail", "to": "anna"}"#,
    [
      "`switchIdentity: { app, to }`":
        "act for an account, for the `unknown` one, or with the identity `unset`, in the main window; `window` names another, `process: true` means the whole process; a list of accounts is a view that shows data of all of them"
    ], expects: .request.subtracting([.received])
  ) { (value, names) throws(Mistake) in .switchIdentity(try Action.IdentitySwitch(value, names)) }

  enum Key: String, MappingKey {
    case app, to, window, process

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .to:
        .required(
          .oneOrMore(.name),
          "Name of an account, `unknown` or `unset`; or a list of accounts that a view shows at the same time"
        )
      case .window: .optional(.text, "Name of the window that acts for them. Default: the main one")
      case .process:
        .optional(
          .flag, "Whether it is the process that acts for them, and no window. Default: false")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an identity switch")
    try fields.rejectConflict(.process, with: .window)
    let targets = try fields.required(.to).oneOrMore()
    guard let first = targets.first else {
      throw value.mistake(.missingKey, "`to` names no identity")
    }
    self.init(
      guest: try names.guest(fields.required(.app)), identity: try names.identity(first),
      window: try fields[.window]?.text() ?? "",
      isOfProcess: try fields[.process]?.bool() ?? false)
    for target in targets.dropFirst() { others.append(try names.account(target)) }
  }
}
