package import Model

/// The expected outcome of a step. Properties that are nil or empty are not compared; at least one is set.
package struct Expectation: Sendable, Equatable {
  package var verdict: Outcome?
  /// The rules that must all be among the verdict's reasons.
  package var reasons: [Rule] = []
  /// The rule that must have decided.
  package var deciding: Rule?
  package var end: RequestEnd?
  /// The status code that the guest must receive, such as 227 or -25300.
  package var status: Int?
  /// The code of the reason why the step's guest exited (`ExitCause.code`).
  package var exit: String?
  /// The text that the receiver must get. The receiver is the app that was sent the text, or that pasted,
  /// imported or queried it.
  package var received: String?
  /// Texts that must each occur in a line of the guest's output, in any order.
  package var said: [String] = []
  /// The expected outcomes of the items that an extension returns to the sender, in order.
  package var returned: [Expectation] = []
  /// The identity that a guest acts for after the step: the receiver of a share, otherwise the step's guest.
  package var identity: IdentityReference?
  /// Whether a policy must apply to that identity in the guest.
  package var isManaged: Bool?
  /// The account that must own the file or data; `unknown` means no owner.
  package var owner: IdentityReference?
  /// The destinations that the share sheet must show, including those that get unreadable data.
  package var shown: [String] = []
  /// The shown destinations that get unreadable data.
  package var encrypted: [String] = []
  package var hidden: [String] = []
  /// The configuration values that the app must find, as texts and in order; empty means none.
  package var values: [String]?
  /// Whether several different values are targeted for the key.
  package var hasConflict: Bool?
  /// Whether the app must accept the SDK's request.
  package var isAccepted: Bool?
  package var enrollmentState: EnrollmentState?
  /// The enrollment status that the app's delegate must have received last.
  package var enrollment: EnrollmentStatus?
  package var compliance: ComplianceStatus?
  /// Whether the app must have received a token.
  package var hasToken: Bool?

  package enum EnrollmentState: String, Sendable, CaseIterable {
    case unregistered, registered, asking, waiting, restarting, enrolled, wiping
  }
}

extension Expectation {
  /// Creates an expectation of destinations that the share sheet must show.
  package init(showing shown: [String]) { self.init(shown: shown) }
}

// MARK: - Reading

extension Expectation {
  enum Key: String, MappingKey {
    case verdict, reason, decidedBy, end, status, exit, received, returned, identity, managed,
      owner,
      accepted
    case shown, encrypted, hidden
    case state, enrollment, compliance, token
    case value, values, conflict
    case said

    var row: KeyRow {
      switch self {
      case .verdict: .optional(.word(of: Outcome.self), "What the verdict comes to")
      case .reason:
        .optional(
          .oneOrMore(.reference("rule")),
          "A rule that must be among the verdict's reasons, or a list of such rules")
      case .decidedBy: .optional(.reference("rule"), "The rule that must have decided")
      case .end: .optional(.word(of: RequestEnd.self), "How the request must end")
      case .status: .optional(.integer, "Status code that the guest must get")
      case .exit:
        .optional(
          .word(of: Expectation.exitCodes),
          "Why the guest that acts in the step must have ended: the sender of a share or drop, not its receiver"
        )
      case .received: .optional(.text, "Text that must reach its receiver, or that must be read")
      case .returned:
        .optional(
          .oneOrMore(.reference("expectation")),
          "What must become of the items that an extension hands back, in their order: `verdict`, `reason`, `decidedBy`, `end` and `received` of each"
        )
      case .identity:
        .optional(
          .name,
          "Whom a guest must act for after the step, by name, or `unknown` or `unset`: the receiver of a share, else the guest that the step is about"
        )
      case .managed: .optional(.flag, "Whether a policy must apply to that identity there")
      case .owner: .optional(.name, "Whose a file or data must be, by name; `unknown`: nobody's")
      case .accepted:
        .optional(.flag, "Whether the app must say that it did what the SDK asked of it")
      case .shown:
        .optional(.oneOrMore(.name), "Apps, extensions and actions that the share sheet shows")
      case .encrypted:
        .optional(.oneOrMore(.name), "Those that it shows and that get what they cannot read")
      case .hidden:
        .optional(.oneOrMore(.name), "Apps, extensions and actions that it does not show")
      case .state:
        .optional(
          .word(of: Expectation.EnrollmentState.self),
          "How far the account must have come in the app")
      case .enrollment:
        .optional(
          Self.statuses,
          "What the app's delegate must have heard last of the account: IntuneMAMEnrollmentStatusCode, by number or name"
        )
      case .compliance:
        .optional(
          .word(of: ComplianceStatus.allCases.map(\.name)),
          "What must have come last of making the account compliant")
      case .token: .optional(.flag, "Whether the app must get a token")
      case .value: .optional(.text, "The one value that the app finds for the key, as text")
      case .values:
        .optional(.list(of: .text), "All values that it finds, in this order; an empty list: none")
      case .conflict: .optional(.flag, "Whether several different values are targeted")
      case .said:
        .optional(
          .oneOrMore(.text),
          "A text that must be part of a line that the guest has written, or a list of such texts, in any order"
        )
      }
    }

    private static let statuses = ValueShape(
      json: #"""
        "oneOf": [
          {"type": "integer", "minimum": 100, "maximum": 227},
          {\#(ValueShape.word(of: EnrollmentStatus.allCases.map(\.name)).members)}
        ]
        """#)
  }

  static let mapping = MappingRow(
    "expectation", Key.self, "What a step must come to; what is left out is not compared",
    where: #""minProperties": 1"#)

  init(_ value: YAMLValue, of row: StepRow, _ names: Names) throws(Mistake) {
    try self.init(value, of: row.word, row.expects, names)
  }

  private init(
    _ value: YAMLValue, of subject: String, _ known: Set<Key>, _ names: Names
  ) throws(Mistake) {
    if case .scalar(let text, _) = value.kind, let key = Self.key(of: text), known.contains(key) {
      throw value.mistake(
        .wrongType,
        "an expectation must be a mapping, found `\(text)`; write `{ \(key.rawValue): \(text) }`")
    }
    let fields = try Fields<Key>(value, "an expectation")
    for key in Key.allCases where fields[key] != nil && !known.contains(key) {
      throw Mistake(
        .conflictingKeys, at: fields.position(of: key),
        "`\(subject)` has no `\(key.rawValue)` to expect")
    }
    self.init()
    verdict = try fields[.verdict]?.word()
    for rule in try fields[.reason]?.oneOrMore() ?? [] { reasons.append(try rule.word()) }
    deciding = try fields[.decidedBy]?.word()
    end = try fields[.end]?.word()
    status = try fields[.status]?.int()
    exit = try fields[.exit]?.choice(of: Self.exitCodes)
    received = try fields[.received]?.text()
    for item in try fields[.returned]?.oneOrMore() ?? [] {
      returned.append(
        try Expectation(
          item, of: Key.returned.rawValue, [.verdict, .reason, .decidedBy, .end, .received], names))
    }
    if let value = fields[.identity] { identity = try names.identity(value) }
    isManaged = try fields[.managed]?.bool()
    if let value = fields[.owner] { owner = try names.identity(value) }
    isAccepted = try fields[.accepted]?.bool()
    try readDestinations(fields, names)
    try readEnrollment(fields)
    try fields.rejectConflict(.values, with: .value)
    values = try fields[.values]?.texts()
    if let value = fields[.value] { values = [try value.text()] }
    hasConflict = try fields[.conflict]?.bool()
    said = try fields[.said]?.oneOrMore().map { value throws(Mistake) in try value.text() } ?? []
    guard self != Expectation() else { throw value.mistake(.missingKey, "nothing is expected") }
  }

  /// Returns the key whose values include the word; nil if there is none.
  private static func key(of word: String) -> Key? {
    if Outcome(rawValue: word) != nil { return .verdict }
    if RequestEnd(rawValue: word) != nil { return .end }
    if Rule(rawValue: word) != nil { return .decidedBy }
    if EnrollmentState(rawValue: word) != nil { return .state }
    return exitCodes.contains(word) ? .exit : nil
  }

  private static let exitCodes: [String] = [
    ExitCause.stopped, .exited(status: 0), .signalled(signal: 0), .killed, .memoryPressure,
    .unresponsive(doing: ""), .protocolViolation(""), .memoryLimit(mebibytes: 0), .processLimit(0),
    .diskQuota(""),
    .notStarted(""),
  ].map(\.code)
}

extension Set<Expectation.Key> {
  /// The outcomes that can be expected of an app's request.
  static let request: Set = [
    .verdict, .reason, .decidedBy, .end, .status, .exit, .received, .identity, .managed,
  ]
  /// The outcomes that can be expected of a file operation, including the file's owner.
  static let file: Set = [.verdict, .reason, .decidedBy, .end, .status, .exit, .owner]
  static let enrollment = request.subtracting([.received])
    .union([.state, .enrollment, .compliance])
}

extension Expectation {
  private mutating func readDestinations(_ fields: Fields<Key>, _ names: Names) throws(Mistake) {
    shown = try Self.destinations(fields[.shown], names)
    encrypted = try Self.destinations(fields[.encrypted], names)
    hidden = try Self.destinations(fields[.hidden], names)
  }

  /// Reads names or bundle ids of apps and extensions, and names of system actions.
  private static func destinations(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [String] {
    var destinations: [String] = []
    for element in try value?.oneOrMore() ?? [] {
      let name = try element.text()
      let known = names.apps.map(\.name) + builtInActions
      guard known.contains(name) || Name.isBundleID(name) else {
        throw element.mistake(
          .unknownName,
          "no app or action is called `\(name)`\(Wording.hint(for: name, among: known))")
      }
      destinations.append(name)
    }
    return destinations
  }

  /// The actions that the system offers in a share sheet.
  package static let builtInActions = [
    "airDrop", "messageComposer", "mailComposer", "copy", "saveToPhotos", "saveToFiles", "print",
  ]

  private mutating func readEnrollment(_ fields: Fields<Key>) throws(Mistake) {
    enrollmentState = try fields[.state]?.word()
    if let value = fields[.enrollment] { enrollment = try Self.status(value) }
    if let value = fields[.compliance] {
      compliance = try value.choice(of: ComplianceStatus.allCases, named: \.name)
    }
    hasToken = try fields[.token]?.bool()
  }

  /// Reads a status, given by number or name.
  private static func status(_ value: YAMLValue) throws(Mistake) -> EnrollmentStatus {
    let text = try value.text()
    if let status = Int(text).flatMap(EnrollmentStatus.init) { return status }
    return try value.choice(
      of: EnrollmentStatus.allCases, named: \.name, listedIn: "docs/enrollment.md")
  }
}
