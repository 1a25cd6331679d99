extension Step {
  /// A key of a step: the word of its action, or a qualifier of any action.
  enum Key: RawRepresentable, CaseIterable, Hashable {
    case action(Action.Word)
    case qualifier(Qualifier)

    static let allCases = Action.Word.allCases.map(action) + Qualifier.allCases.map(qualifier)

    init?(rawValue: String) {
      if let word = Action.Word(rawValue: rawValue) {
        self = .action(word)
      } else if let qualifier = Qualifier(rawValue: rawValue) {
        self = .qualifier(qualifier)
      } else {
        return nil
      }
    }

    var rawValue: String {
      switch self {
      case .action(let word): word.rawValue
      case .qualifier(let qualifier): qualifier.rawValue
      }
    }
  }

  /// A key that qualifies a step: the number of repetitions, the expectation, or the task that makes the request.
  enum Qualifier: String, MappingKey {
    case `repeat`, expect, `as`, window

    var row: KeyRow {
      switch self {
      case .repeat:
        .optional(
          .init(json: #""type": "integer", "minimum": 1, "maximum": 1000000"#),
          "How many times, one after the other. Default: 1")
      case .expect: .optional(.reference("expectation"), nil)
      case .as:
        .optional(
          .name,
          "Identity of the thread that does it, by name, or `unknown` or `unset`; for requests that a task of an app makes"
        )
      case .window:
        .optional(
          .text,
          "Name of the window that does it; for requests that a task of an app makes. Default: the window in front"
        )
      }
    }
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [Step] {
    let elements = try value.sequence()
    guard !elements.isEmpty else { throw value.mistake(.missingKey, "the list of steps is empty") }
    var steps: [Step] = []
    for element in elements { steps.append(try Step(element, names)) }
    return steps
  }

  private init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a step")
    let words = Action.Word.allCases.filter { fields[.action($0)] != nil }
    guard let word = words.first, let action = fields[.action(word)] else {
      throw value.mistake(
        .missingKey, "a step needs an action, such as `launch` or `share`")
    }
    if words.count > 1 { try fields.rejectConflict(.action(words[1]), with: .action(word)) }
    var expectation: Expectation?
    if let expect = fields[.qualifier(.expect)] {
      expectation = try Expectation(expect, of: word, names)
    }
    self.init(
      position: fields.position(of: .action(word)), action: try word.row.read(action, names),
      count: try fields[.qualifier(.repeat)]?.int(in: 1...Self.mostTimes) ?? 1,
      expectation: expectation, at: fields[.qualifier(.expect)]?.position,
      task: try Self.task(fields, of: word, names))
  }

  private static func task(
    _ fields: Fields<Key>, of word: Action.Word, _ names: Names
  ) throws(Mistake) -> TaskReference? {
    let thread = fields[.qualifier(.as)]
    let window = fields[.qualifier(.window)]
    if word.row.requester != .task {
      for key in [Qualifier.as, .window] where fields[.qualifier(key)] != nil {
        throw Mistake(
          .conflictingKeys, at: fields.position(of: .qualifier(key)),
          "`\(word.rawValue)` has no `\(key.rawValue)`: no task of an app does it")
      }
    }
    guard thread != nil || window != nil else { return nil }
    return TaskReference(
      thread: try thread.map { value throws(Mistake) in try names.identity(value) },
      window: try window?.text())
  }
}
