extension Action {
  /// A search for remains of an account.
  public struct Residue: StepDetail {
    /// The name of an account of the scenario.
    public var account: String
    /// The texts that must be nowhere, beside the account's names.
    public var canaries: [String]
    /// The names of the guests whose stores are searched; empty: the whole device.
    public var guests: [String]
  }
}

extension Action.Residue {
  public var text: String { "nothing is left of \(account)" }

  public var demand: String? { "nothing left of `\(account)`" }
}

extension Action.Residue {
  static let step = StepRow(
    "Search for what is left of an account; what is found fails the step",
    .mapping(MappingRow("residue", Key.self)),
    example: #"{"account": "anna", "canaries": ["Quarterly figures"]}"#,
    [
      "`residue: { account, canaries, apps }`":
        "search for what is left of an account, by its names and the texts in `canaries`, of 4,096 bytes together at most; what is found fails the step; without `apps` on all of the device, but for the journal, which cites the steps themselves"
    ]
  ) { (value, names) throws(Mistake) in .residue(try Action.Residue(value, names)) }

  enum Key: String, MappingKey {
    case account, canaries, apps

    var row: KeyRow {
      switch self {
      case .account: .account
      case .canaries:
        .optional(.list(of: .text), "Texts that must be nowhere, beside the account's names")
      case .apps:
        .optional(
          .reference("guests"), "The guests whose stores are searched. Default: all of the device")
      }
    }
  }

  /// The size of all canaries together, in bytes: the table of a search grows to a multiple of it.
  private static let longestCanaries = 4_096

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a search for residue")
    let canaries = try fields[.canaries]?.texts() ?? []
    if let list = fields[.canaries],
      canaries.reduce(0, { $0 + $1.utf8.count }) > Self.longestCanaries
    {
      throw list.mistake(
        .tooLarge, "`canaries` have \(Self.longestCanaries) bytes at most, all together")
    }
    self.init(
      account: try names.account(fields.required(.account)), canaries: canaries,
      guests: try fields[.apps].map { value throws(Mistake) in try names.guests(value) } ?? [])
  }
}
