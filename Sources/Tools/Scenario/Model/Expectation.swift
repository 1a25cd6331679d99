package import Model

/// The expected outcome of a step. Properties that are nil, and empty lists other than ``values``, are not compared. A
/// scenario sets at least one property.
package struct Expectation: Sendable, Equatable {
  package var verdict: Outcome?
  /// Rules that must all be among the verdict's reasons.
  package var reasons: [Rule] = []
  /// The rule that must have decided the verdict.
  package var deciding: Rule?
  package var end: RequestEnd?
  /// The status code that the guest must receive, such as 227 or -25300.
  package var status: Int?
  /// The cause for which the step's guest must exit, by its code (`ExitCause.code`).
  package var exit: String?
  /// The text that must arrive at the receiver: the app to which the text was sent, or the app that pasted, imported or
  /// queried it.
  package var received: String?
  /// Texts that must each occur in a line of the guest's output, in any order.
  package var said: [String] = []
  /// The expected outcomes of the items that an extension returns to the sender, in order.
  package var returned: [Expectation] = []
  /// The identity that a guest must act for after the step. The guest is the receiver of a share,
  /// or else the step's guest.
  package var identity: IdentityReference?
  /// Whether a policy must apply to the guest's identity after the step.
  package var isManaged: Bool?
  /// The account that must own the file or data; `unknown` means no owner.
  package var owner: IdentityReference?
  /// The destinations that the share sheet must show, including those in ``encrypted``.
  package var shown: [String] = []
  /// The shown destinations that must get unreadable data.
  package var encrypted: [String] = []
  package var hidden: [String] = []
  /// The configuration values that the app must find, as texts in order; empty if the app must find no values.
  package var values: [String]?
  /// Whether the configurations must contain different values for the key.
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
  package init(showing shown: [String]) { self.init(shown: shown) }

  /// The expectation without its rules, so policies with other settings can also meet it; nil if only rules are
  /// expected.
  package var withoutRules: Expectation? {
    var expectation = self
    (expectation.reasons, expectation.deciding) = ([], nil)
    expectation.returned = returned.map { $0.withoutRules ?? Expectation() }
    return expectation == Expectation() ? nil : expectation
  }
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
      case .verdict:
        .optional(
          .word(of: Outcome.self), "The verdict's outcome",
          synonyms: ["answer", "decision", "outcome", "result"])
      case .reason:
        .optional(
          .oneOrMore(.reference("rule")),
          "A rule among the verdict's reasons, or a list of rules",
          synonyms: ["because", "rules", "why"])
      case .decidedBy:
        .optional(
          .reference("rule"), "The rule that decided",
          synonyms: ["by", "decider", "rule"])
      case .end: .optional(.word(of: RequestEnd.self), "The request's end")
      case .status: .optional(.integer, "The status code that the guest gets")
      case .exit:
        .optional(
          .word(of: Expectation.exitCodes),
          "The cause of the acting guest's end: of the sender of a share or drop, not of the receiver"
        )
      case .received:
        .optional(
          .text, "The text that the receiver gets, or that is read",
          synonyms: ["content", "contents", "data", "got", "read", "text"])
      case .returned:
        .optional(
          .oneOrMore(.reference("expectation")),
          "The items that an extension returns, in order: `verdict`, `reason`, `decidedBy`, `end` and `received` of each"
        )
      case .identity:
        .optional(
          .name,
          "The account that the guest acts for after the step, by name, or `unknown` or `unset`. The guest is the receiver of a share, otherwise the acting guest"
        )
      case .managed: .optional(.flag, "Whether a policy applies to the identity in that app")
      case .owner: .optional(.name, "The owner of a file or data by name; `unknown`: none")
      case .accepted:
        .optional(.flag, "Whether the app reports that it did what the SDK asked")
      case .shown:
        .optional(.oneOrMore(.name), "Apps, extensions and actions that the share sheet shows")
      case .encrypted:
        .optional(
          .oneOrMore(.name), "Apps, extensions and actions that it shows and that get ciphertext")
      case .hidden:
        .optional(.oneOrMore(.name), "Apps, extensions and actions that it does not show")
      case .state:
        .optional(
          .word(of: Expectation.EnrollmentState.self),
          "The state of the account's enrollment in the app")
      case .enrollment:
        .optional(
          Self.statuses,
          "The last IntuneMAMEnrollmentStatusCode that the app's delegate got for the account, by number or name"
        )
      case .compliance:
        .optional(
          .word(of: ComplianceStatus.allCases.map(\.name)),
          "The last result of making the account compliant")
      case .token: .optional(.flag, "Whether the app gets a token")
      case .value: .optional(.text, "The one value that the app finds for the key, as text")
      case .values:
        .optional(.list(of: .text), "All values that the app finds, in order; an empty list: none")
      case .conflict:
        .optional(.flag, "Whether configurations with different values of the key are targeted")
      case .said:
        .optional(
          .oneOrMore(.text),
          "A text within a line that the guest has written, or a list of such texts, in any order",
          synonyms: ["log", "logged", "output", "printed", "prints", "stdout"])
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
    "expectation", Key.self, "The expected result of a step; an omitted key is not compared",
    where: #""minProperties": 1"#)

  init(_ value: YAMLValue, of row: StepRow, _ names: Names) throws(InputError) {
    try self.init(value, of: row.word, row.expects, names)
  }

  private init(
    _ value: YAMLValue, of subject: String, _ known: Set<Key>, _ names: Names
  ) throws(InputError) {
    if case .scalar(let text, _) = value.kind, let key = Self.key(of: text), known.contains(key) {
      throw value.mistake(
        .wrongType,
        "an expectation must be a mapping, found `\(text)`; write `{ \(key.rawValue): \(text) }`")
    }
    let fields = try Fields<Key>(value, "an expectation")
    for key in Key.allCases where fields[key] != nil && !known.contains(key) {
      throw InputError(
        .conflictingKeys, at: fields.position(of: key),
        "the result of `\(subject)` has no `\(key.rawValue)`")
    }
    self.init()
    verdict = try fields[.verdict]?.word()
    let rules = "docs/schema/scenario.schema.json"
    for rule in try fields[.reason]?.oneOrMore() ?? [] {
      reasons.append(try rule.word(listedIn: rules))
    }
    deciding = try fields[.decidedBy]?.word(listedIn: rules)
    end = try fields[.end]?.word()
    status = try fields[.status]?.int()
    exit = try fields[.exit]?.choice(of: Self.exitCodes)
    received = try fields[.received]?.text()
    returned =
      try fields[.returned]?.oneOrMore().readEach { item throws(InputError) in
        try Expectation(
          item, of: Key.returned.rawValue, [.verdict, .reason, .decidedBy, .end, .received], names)
      } ?? []
    if let value = fields[.identity] { identity = try names.identity(value) }
    isManaged = try fields[.managed]?.bool()
    if let value = fields[.owner] { owner = try names.identity(value) }
    isAccepted = try fields[.accepted]?.bool()
    shown = try Self.destinations(fields[.shown], names)
    encrypted = try Self.destinations(fields[.encrypted], names)
    hidden = try Self.destinations(fields[.hidden], names)
    try readEnrollment(fields)
    try fields.rejectConflict(.values, with: .value)
    values = try fields[.values]?.texts()
    if let value = fields[.value] { values = [try value.text()] }
    hasConflict = try fields[.conflict]?.bool()
    said = try fields[.said]?.oneOrMore().map { value throws(InputError) in try value.text() } ?? []
    guard self != Expectation() else {
      throw value.mistake(.missingKey, "the expectation is empty; add a key such as `verdict`")
    }
  }

  /// Returns the key for which the word is a valid value; nil if there is none.
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
  /// The keys for the expected outcome of an app's request.
  static let request: Set = [
    .verdict, .reason, .decidedBy, .end, .status, .exit, .received, .identity, .managed,
  ]
  /// The keys for the expected outcome of a file operation.
  static let file: Set = [.verdict, .reason, .decidedBy, .end, .status, .exit, .owner]
  static let enrollment = request.subtracting([.received])
    .union([.state, .enrollment, .compliance])
}

extension Expectation {
  /// Reads names of apps, extensions and system actions. Apps and extensions may also be given by bundle id.
  private static func destinations(
    _ value: YAMLValue?, _ names: Names
  ) throws(InputError) -> [String] {
    var destinations: [String] = []
    for element in try value?.oneOrMore() ?? [] {
      let name = try element.text()
      let known = names.apps.map(\.name) + builtInActions
      guard known.contains(name) || Name.isBundleID(name) || element.isExcused else {
        throw names.unknown(
          name, element,
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

  private mutating func readEnrollment(_ fields: Fields<Key>) throws(InputError) {
    enrollmentState = try fields[.state]?.word()
    if let value = fields[.enrollment] { enrollment = try Self.status(value) }
    if let value = fields[.compliance] {
      compliance = try value.choice(of: ComplianceStatus.allCases, named: \.name)
    }
    hasToken = try fields[.token]?.bool()
  }

  /// Reads a status, given by number or name.
  private static func status(_ value: YAMLValue) throws(InputError) -> EnrollmentStatus {
    let text = try value.text()
    if let status = Int(text).flatMap(EnrollmentStatus.init) { return status }
    return try value.choice(
      of: EnrollmentStatus.allCases, named: \.name, listedIn: "docs/enrollment.md")
  }
}
