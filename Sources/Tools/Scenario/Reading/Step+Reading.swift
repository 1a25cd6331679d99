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

  /// A key that qualifies a step: the number of repetitions, the expectation, the device, or the task that makes the request.
  enum Qualifier: String, MappingKey {
    case `repeat`, expect, `as`, window, on

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
      case .on:
        .optional(
          .name,
          "Name of the device that does it, of several. Default: the only one with these apps, or each where no app does it"
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
    if let step = try Self.placed(fields, value, names) {
      self = step
      return
    }
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

  /// Reads a step on one of several devices: on that which it names, or on the only one on which it can be.
  ///
  /// - Returns: nil where the step is to be read with the names as they are.
  private static func placed(
    _ fields: Fields<Key>, _ value: YAMLValue, _ names: Names
  ) throws(Mistake) -> Step? {
    let isAdvance = fields[.action(.advance)] != nil
    if isAdvance, names.place != nil || fields[.qualifier(.on)] != nil, !names.devices.isEmpty {
      throw Mistake(
        .conflictingKeys, at: fields.position,
        "`advance` has no `on`: all devices have one clock")
    }
    if let on = fields[.qualifier(.on)] {
      let position = fields.position(of: .qualifier(.on))
      if let place = names.place {
        throw Mistake(
          .conflictingKeys, at: position,
          "the step is on `\(place)` with the others; leave `on` out, here or there")
      }
      guard !names.devices.isEmpty else {
        throw Mistake(
          .unknownName, at: position,
          "there is one device, and every step is `on` it; state several under `devices`")
      }
      let (name, known) = try names.on(on)
      let step = try Step(value.without(Qualifier.on.rawValue), known).on(name)
      try step.checkDestination(names)
      return step
    }
    // Each of the steps that are carried out at once has its own device.
    guard !names.members.isEmpty, !isAdvance, fields[.action(.concurrently)] == nil else {
      return nil
    }
    return try onOnlyOne(value, names)
  }

  /// Reads a step that names no device.
  private static func onOnlyOne(_ value: YAMLValue, _ names: Names) throws(Mistake) -> Step {
    var found: [Step] = []
    var mistakes: [Mistake] = []
    for member in names.members {
      do throws(Mistake) {
        found.append(try Step(value, member.names).on(member.name))
      } catch {
        mistakes.append(error)
      }
    }
    guard let step = found.first else {
      // What is wrong on every device is wrong by itself; else no device has what the step names.
      throw mistakes.first { mistake in mistakes.allSatisfy { $0.message == mistake.message } }
        ?? mistakes[0]
    }
    guard found.count > 1 else {
      try step.checkDestination(names)
      return step
    }
    if step.action.concernsEachDevice { return step.on(nil) }
    throw Mistake(
      .missingKey, at: step.position,
      "more than one device can do this: add \(Wording.list(found.compactMap { $0.device.map { "on: \($0)" } }))"
    )
  }

  /// - Throws: ``Mistake`` where the step sends something from a device to itself.
  private func checkDestination(_ names: Names) throws(Mistake) {
    guard case .airDrop(let drop) = action, let device,
      drop.device == device || names.memberOfDevice[drop.device] == device
    else { return }
    throw Mistake(
      .invalidValue, at: position, "`\(drop.device)` sends nothing to itself by AirDrop")
  }

  /// The step on that device.
  private func on(_ device: String?) -> Step {
    var step = self
    step.device = device
    return step
  }

  private static func task(
    _ fields: Fields<Key>, of word: Action.Word, _ names: Names
  ) throws(Mistake) -> TaskReference? {
    let thread = fields[.qualifier(.as)]
    let window = fields[.qualifier(.window)]
    if word.row.requester != .task {
      try refuse(.as, in: fields, of: word)
      try refuse(.window, in: fields, of: word)
    }
    guard thread != nil || window != nil else { return nil }
    return TaskReference(
      thread: try thread.map { value throws(Mistake) in try names.identity(value) },
      window: try window?.text())
  }

  // Inlined, it is compiled in one of two ways, by addresses of the compiler's own, and builds differ.
  @inline(never)
  private static func refuse(
    _ qualifier: Qualifier, in fields: Fields<Key>, of word: Action.Word
  ) throws(Mistake) {
    guard fields[.qualifier(qualifier)] != nil else { return }
    throw Mistake(
      .conflictingKeys, at: fields.position(of: .qualifier(qualifier)),
      "`\(word.rawValue)` has no `\(qualifier.rawValue)`: no task of an app does it")
  }
}
