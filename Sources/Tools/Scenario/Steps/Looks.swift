extension Action {
  /// An inspection of a guest's output since the last step of this kind.
  package struct LogReading: GuestStep {
    package var guest: String
  }
}

extension Action.LogReading {
  package var inspection: Inspection? { .output }

  package var text: String { "what \(guest) has written" }

  static let step = StepRow(
    "log",
    "Read a guest's log, standard output and standard error since the last such step",
    .value(.name),
    example: #""mail""#,
    synonyms: ["output", "said"], expects: [.received, .said]
  ) { (value, names) throws(InputError) in .log(try Action.LogReading(value, names)) }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    self.init(guest: try names.guest(value))
  }
}

// MARK: - Server

extension Action {
  /// An inspection of the requests that a server has received since the last step of this kind. If there are no
  /// requests, the step waits for one.
  package struct Served: StepDetail {
    package var server: String
  }
}

extension Action.Served {
  package var inspection: Inspection? { .serverRequests }

  package var text: String { "the requests to the server \(server) are read" }

  static let step = StepRow(
    "served",
    "Read a server's log since the last such step; if it is empty, wait for a client",
    .value(.name),
    example: #""resources""#,
    expects: [.received]
  ) { (value, names) throws(InputError) in .served(Action.Served(server: try names.server(value))) }
}

// MARK: - Event log

extension Action {
  /// An inspection of the device's event log, which the administrator receives.
  package struct AdministratorEvents: StepDetail {
  }
}

extension Action.AdministratorEvents {
  package var inspection: Inspection? { .administratorEvents }

  package var text: String { "the administrator reads the event log" }

  static let step = StepRow(
    "administratorEvents",
    "Read the device's event log",
    .value(.constant("device")),
    example: #""device""#,
    expects: [.received]
  ) { (value, names) throws(InputError) in
    .administratorEvents(try Action.AdministratorEvents(value))
  }

  /// Reads the step's value, which must be `device`. Any other value is an error.
  private init(_ value: YAMLValue) throws(InputError) { try value.require("device") }
}

// MARK: - Residue

extension Action {
  /// A search for an account's remaining data.
  package struct Residue: StepDetail {
    package var account: String
    /// Texts that the search must not find in any place, in addition to the account's names.
    package var canaries: [String]
    /// The names of the guests to search. If empty, the search covers the whole device, but not its journal.
    package var guests: [String]
  }
}

extension Action.Residue {
  package var concernsEachDevice: Bool { true }

  package var text: String { "no data of \(account) is left" }

  package var demand: String? { "nothing left of `\(account)`" }

  static let step = StepRow(
    "residue",
    "Search for remains of an account; a finding fails the step",
    .mapping(MappingRow("residue", Key.self)),
    example: #"{"account": "anna", "canaries": ["Quarterly figures"]}"#
  ) { (value, names) throws(InputError) in .residue(try Action.Residue(value, names)) }

  private enum Key: String, MappingKey {
    case account, canaries, apps

    var row: KeyRow {
      switch self {
      case .account: .account
      case .canaries:
        .optional(
          .list(of: .text),
          "Texts to search for, in addition to the account's names; 4,096 bytes in all")
      case .apps:
        .optional(
          .reference("guests"),
          "The guests whose stores are searched. Default: the whole device except the "
            + "journal, which cites the steps")
      }
    }
  }

  /// The maximum total size of the canaries, in bytes. It is limited because the search table needs a multiple of this
  /// size.
  private static let longestCanaries = 4_096

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a search for residue")
    let canaries = try fields[.canaries]?.texts() ?? []
    if let list = fields[.canaries],
      canaries.reduce(0, { $0 + $1.utf8.count }) > Self.longestCanaries
    {
      throw list.mistake(
        .tooLarge, "`canaries` have at most \(Self.longestCanaries) bytes in total")
    }
    self.init(
      account: try names.account(fields.required(.account)), canaries: canaries,
      guests: try fields[.apps].map { value throws(InputError) in try names.guests(value) } ?? [])
  }
}
