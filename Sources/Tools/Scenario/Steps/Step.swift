package import JSON

/// One event of a case, and its expected outcome.
package struct Step: Sendable, Equatable {
  package var position: Position
  package var action: Action
  /// The number of times that the step is carried out, one after the other: 1 to 1,000,000. The expectation applies to
  /// each time.
  package var count: Int
  /// The expected outcome; nil where the scenario expects nothing.
  package var expectation: Expectation?
  /// The position of the expectation; nil where there is none.
  package var expectationPosition: Position?
  /// The name of the device that carries the step out; nil: the only one, or each of them.
  package var device: String?
  /// The task that makes the request; nil: the guest's own identity applies.
  package var task: TaskReference?

  /// The most times that a step can be carried out.
  package static let mostTimes = 1_000_000

  /// Creates a step.
  package init(
    position: Position, action: Action, count: Int = 1, expectation: Expectation? = nil,
    at expectationPosition: Position? = nil, task: TaskReference? = nil
  ) {
    self.expectationPosition = expectationPosition
    self.task = task
    self.position = position
    self.action = action
    self.count = count
    self.expectation = expectation
  }

  /// The step in one line, as reports show it: ``mail shares `Quarterly figures` with notes``.
  package var text: String {
    let who = task?.thread.map { ", as \($0.text)" } ?? ""
    let place = task?.window.map { ", in window `\($0)`" } ?? ""
    let often = count == 1 ? "" : ", \(count) times"
    return action.detail.text + who + place + often
  }
}

/// The task that makes a step's request, where its identity is not simply that of its guest.
package struct TaskReference: Sendable, Equatable {
  /// The identity of the thread; nil: the thread has none.
  package var thread: IdentityReference?
  /// The window that the task acts in; nil: the one in front.
  package var window: String?
}

// MARK: - Reading

extension Step {
  /// A key of a step: the word of its action, or a qualifier of any action.
  private enum Key: RawRepresentable, CaseIterable, Hashable {
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
    let fields = try Fields<Key>(value, "a step", advice: Action.Word.advice(for:))
    if let step = try Self.placed(fields, value, names) {
      self = step
      return
    }
    let words = Action.Word.allCases.filter { fields[.action($0)] != nil }
    guard let word = words.first, let action = fields[.action(word)] else {
      throw Self.withoutAction(fields, value)
    }
    if words.count > 1 { try fields.rejectConflict(.action(words[1]), with: .action(word)) }
    var expectation: Expectation?
    if let expect = fields[.qualifier(.expect)] {
      expectation = try Expectation(expect, of: word, names)
    }
    self.init(
      position: fields.position(of: .action(word)), action: try Self.action(word, action, names),
      count: try fields[.qualifier(.repeat)]?.int(in: 1...Self.mostTimes) ?? 1,
      expectation: expectation, at: fields[.qualifier(.expect)]?.position,
      task: try Self.task(fields, of: word, names))
  }

  private static func action(
    _ word: Action.Word, _ value: YAMLValue, _ names: Names
  ) throws(Mistake) -> Action {
    do throws(Mistake) {
      return try word.row.read(value, names)
    } catch {
      var mistake = error
      if mistake.isOfType(of: value) { mistake.message += "; for example `\(word.example)`" }
      throw mistake
    }
  }

  /// The mistake of a step without a word.
  private static func withoutAction(_ fields: Fields<Key>, _ value: YAMLValue) -> Mistake {
    let message = "a step needs an action, such as `launch` or `share`"
    guard let qualifier = Qualifier.allCases.first(where: { fields[.qualifier($0)] != nil }) else {
      return value.mistake(.missingKey, message)
    }
    return value.mistake(
      .missingKey,
      "\(message); write `\(qualifier.rawValue)` without `-`, as another key of the step that it is about"
    )
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

extension Mistake {
  /// Whether the mistake is that `value`, which is no mapping, has another type than is expected there.
  fileprivate func isOfType(of value: YAMLValue) -> Bool {
    if case .mapping = value.kind { return false }
    return code == .wrongType && position == value.position
  }
}

// MARK: - Words of a step

extension Action.Word {
  /// An example of a step that begins with the word, as YAML.
  fileprivate var example: String {
    guard let json = try? JSONReader.read(row.example),
      let value = try? YAMLValue(json, name: rawValue, atMost: .step)
    else { return rawValue }
    return "\(rawValue): \(value.flowText)"
  }

  /// The end of the message about a word that begins no step: the steps that are called otherwise elsewhere, or where all
  /// are listed.
  static func advice(for word: String) -> String {
    let meant = synonyms.filter { $0.value.contains(word.lowercased()) }.map(\.key)
    guard !meant.isEmpty else { return "; `sluice ctl help` lists the steps" }
    return "; did you mean \(Wording.list(meant.map(\.rawValue)))?"
  }

  /// What people call steps who have not seen the list.
  private static let synonyms: KeyValuePairs<Self, Set<String>> = [
    .launch: ["start", "run", "open", "begin", "activate", "foreground"],
    .stop: ["quit", "exit", "close", "end", "terminate"],
    .kill: ["crash", "abort"],
    .suspend: ["background", "hide"],
    .resume: ["foreground", "activate", "unhide"],
    .relaunch: ["reopen"],
    .restart: ["reboot", "poweroff"],
    .signOut: ["logout"],
    .switchIdentity: ["switch", "switchaccount", "switchuser", "identity", "setidentity"],
    .register: ["enroll", "enrol", "enrollment"],
    .unenroll: ["unregister", "deregister"],
    .checkIn: ["sync", "refresh", "poll"],
    .share: ["send", "transfer", "openin", "forward"],
    .drop: ["drag", "draganddrop"],
    .copy: ["cut"],
    .openURL: ["open", "url", "link", "browse"],
    .saveTo: ["save", "upload", "saveas", "export"],
    .openFrom: ["download"],
    .use: ["print", "feature", "backup"],
    .writeFile: ["save", "write", "createfile"],
    .readFile: ["read", "openfile"],
    .removeFile: ["delete", "deletefile", "remove"],
    .wipe: ["selectivewipe", "erase"],
    .assign: ["policy", "target"],
    .savePolicy: ["changepolicy", "updatepolicy", "setpolicy", "policy"],
    .advance: ["sleep", "time", "clock", "pass"],
    .wait: ["sleep", "pause", "await"],
    .log: ["output", "said"],
    .unlock: ["pin", "enterpin", "authenticate"],
  ]
}
