package import Encodings

package struct Step: Sendable, Equatable {
  package var position: Position
  package var action: Action
  /// The number of repetitions, from 1 to 1,000,000. The expectation applies to each repetition.
  package var count: Int
  package var expectation: Expectation?
  package var expectationPosition: Position?
  /// The name of the device that performs the step. If nil, the only device or each of the devices performs it.
  package var device: String?
  /// The task that makes the request. If nil, the guest's own identity applies.
  package var task: TaskReference?
  /// Whether the step first launches those of its apps that are not running.
  package var launchesApps = false

  /// The maximum number of repetitions.
  package static let mostTimes = 1_000_000

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

  /// The step as one line, as shown in reports, such as ``mail shares `Quarterly figures` with notes``.
  package var text: String {
    let who = task?.thread.map { ", as \($0.text)" } ?? ""
    let place = task?.window.map { ", in window `\($0)`" } ?? ""
    let often = count == 1 ? "" : ", \(count) times"
    return action.detail.text + who + place + often
  }

  /// The step without expected rules; see ``Expectation/withoutRules``.
  package var withoutExpectedRules: Step {
    var step = self
    step.expectation = expectation?.withoutRules
    if step.expectation == nil { step.expectationPosition = nil }
    guard case .concurrently(var concurrency) = action else { return step }
    concurrency.steps = concurrency.steps.map(\.withoutExpectedRules)
    step.action = .concurrently(concurrency)
    return step
  }

  /// The concurrent parts of the step; the step itself if it has no parts.
  package var parts: [Step] {
    guard case .concurrently(let concurrency) = action else { return [self] }
    return concurrency.steps.flatMap(\.parts)
  }
}

/// The task that makes a step's request. It is needed if the request's identity differs from the guest's identity.
package struct TaskReference: Sendable, Equatable {
  /// The thread's identity; nil if it has none.
  package var thread: IdentityReference?
  /// The window in which the task acts; nil for the frontmost window.
  package var window: String?
}

// MARK: - Reading

extension Step {
  private enum Key: FieldKey {
    case action(StepRow)
    case qualifier(Qualifier)

    static let allCases = Action.rows.map(action) + Qualifier.allCases.map(qualifier)

    init?(rawValue: String) {
      if let row = Action.row(of: rawValue) {
        self = .action(row)
      } else if let qualifier = Qualifier(rawValue: rawValue) {
        self = .qualifier(qualifier)
      } else {
        return nil
      }
    }

    var rawValue: String {
      switch self {
      case .action(let row): row.word
      case .qualifier(let qualifier): qualifier.rawValue
      }
    }

    static func meant(by word: String) -> [Key] {
      Action.rows.filter { $0.synonyms.contains(word) }.map(action)
        + Qualifier.meant(by: word).map(qualifier)
    }
  }

  /// A qualifier of a step: the repetitions, the expectation, the device, or the task that makes the request.
  enum Qualifier: String, MappingKey {
    case `repeat`, expect, `as`, window, on

    var row: KeyRow {
      switch self {
      case .repeat:
        .optional(
          .init(json: #""type": "integer", "minimum": 1, "maximum": 1000000"#),
          "The number of times that the step is carried out, one after the other. Default: 1",
          synonyms: ["count", "times"])
      case .expect:
        .optional(
          .reference("expectation"), nil, synonyms: ["assert", "assertion", "result", "then"])
      case .as:
        .optional(
          .name,
          "Identity of the thread that makes the request, by name, or `unknown` or `unset`; for requests of an app's task"
        )
      case .window:
        .optional(
          .text,
          "Name of the window that makes the request; for requests of an app's task. Default: the window in front"
        )
      case .on:
        .optional(
          .name,
          "Name of the device, if there are several. Default: the only one with these apps, or every device if the step names no app"
        )
      }
    }
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(InputError) -> [Step] {
    let elements = try value.sequence()
    guard !elements.isEmpty else { throw value.mistake(.missingKey, "the list of steps is empty") }
    return try elements.readEach { element throws(InputError) in
      try element.readAllParts { element throws(InputError) in try Step(element, names) }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(
      value, "a step", otherwise: "; `sluice ctl help` lists the steps")
    if let step = try Self.placed(fields, value, names) {
      self = step
      return
    }
    let rows = Action.rows.filter { fields[.action($0)] != nil }
    guard let row = rows.first, let action = fields[.action(row)] else {
      throw Self.withoutAction(fields, value)
    }
    if rows.count > 1 { try fields.rejectConflict(.action(rows[1]), with: .action(row)) }
    var expectation: Expectation?
    if let expect = fields[.qualifier(.expect)] {
      expectation = try Expectation(expect, of: row, names)
    }
    self.init(
      position: fields.position(of: .action(row)), action: try Self.action(row, action, names),
      count: try fields[.qualifier(.repeat)]?.int(in: 1...Self.mostTimes) ?? 1,
      expectation: expectation, at: fields[.qualifier(.expect)]?.position,
      task: try Self.task(fields, of: row, names))
  }

  private static func action(
    _ row: StepRow, _ value: YAMLValue, _ names: Names
  ) throws(InputError) -> Action {
    do throws(InputError) {
      return try row.read(value, names)
    } catch {
      var mistake = error
      let misplaced = Qualifier.allCases.first {
        mistake.code == .unknownKey && mistake.message.hasSuffix(" has no key `\($0.rawValue)`")
      }
      if let misplaced {
        mistake.message +=
          "; write `\(misplaced.rawValue)` as a key of the step, beside `\(row.word)`"
        throw mistake
      }
      let isUnknownKey = mistake.code == .unknownKey && !mistake.message.contains("did you mean")
      if isUnknownKey || mistake.isOfType(of: value) {
        mistake.message += "; for example `\(row.exampleText)`"
      }
      throw mistake
    }
  }

  private static func withoutAction(_ fields: Fields<Key>, _ value: YAMLValue) -> InputError {
    let message = "a step needs an action, such as `launch` or `share`"
    guard let qualifier = Qualifier.allCases.first(where: { fields[.qualifier($0)] != nil }) else {
      return value.mistake(.missingKey, message)
    }
    return value.mistake(
      .missingKey,
      "\(message); write `\(qualifier.rawValue)` without `-`, as a key of the step above"
    )
  }

  /// Reads a step for one of several devices: the device that the step names, or the only device that can perform the
  /// step.
  ///
  /// - Returns: Nil if no device must be found: for `advance`, for `concurrently`, and if `names` already belong to a
  ///   single device.
  private static func placed(
    _ fields: Fields<Key>, _ value: YAMLValue, _ names: Names
  ) throws(InputError) -> Step? {
    let isAdvance = fields[.action(Action.Advance.step)] != nil
    if isAdvance, names.place != nil || fields[.qualifier(.on)] != nil, !names.devices.isEmpty {
      throw InputError(
        .conflictingKeys, at: fields.position,
        "`advance` has no `on`: all devices have one clock")
    }
    if let on = fields[.qualifier(.on)] {
      let position = fields.position(of: .qualifier(.on))
      guard names.place == nil else {
        throw InputError(
          .conflictingKeys, at: position,
          "`concurrently` already has `on`; leave `on` out there or in this step")
      }
      guard !names.devices.isEmpty else {
        throw InputError(
          .unknownName, at: position,
          "the scenario has only one device; leave `on` out, or state several under `devices`")
      }
      let (name, known) = try names.on(on)
      let step = try Step(value.without(Qualifier.on.rawValue), known).on(name)
      try step.checkDestination(names)
      return step
    }
    // Concurrent steps name their devices individually.
    guard !names.members.isEmpty, !isAdvance, fields[.action(Action.Concurrency.step)] == nil else {
      return nil
    }
    return try onOnlyOne(value, names)
  }

  /// Reads a step that does not name a device. If several devices can perform the step, its action must concern all of
  /// them.
  private static func onOnlyOne(_ value: YAMLValue, _ names: Names) throws(InputError) -> Step {
    var found: [Step] = []
    var mistakes: [InputError] = []
    for member in names.members {
      do throws(InputError) {
        found.append(try Step(value, member.names).on(member.name))
      } catch {
        mistakes.append(error)
      }
    }
    guard let step = found.first else {
      // The first device's error is reported.
      throw mistakes[0]
    }
    guard found.count > 1 else {
      try step.checkDestination(names)
      return step
    }
    if step.action.detail.concernsEachDevice { return step.on(nil) }
    throw InputError(
      .missingKey, at: step.position,
      "several devices can carry out this step: add \(Wording.list(found.compactMap { $0.device.map { "on: \($0)" } }))"
    )
  }

  /// Rejects a step that sends something from a device to itself.
  private func checkDestination(_ names: Names) throws(InputError) {
    guard case .request(let request) = action, let drop = request.detail as? Action.AirDrop,
      let device,
      drop.device == device || names.memberOfDevice[drop.device] == device
    else { return }
    throw InputError(
      .invalidValue, at: position, "`\(drop.device)` cannot send to itself by AirDrop")
  }

  private func on(_ device: String?) -> Step {
    var step = self
    step.device = device
    return step
  }

  private static func task(
    _ fields: Fields<Key>, of row: StepRow, _ names: Names
  ) throws(InputError) -> TaskReference? {
    let thread = fields[.qualifier(.as)]
    let window = fields[.qualifier(.window)]
    if row.requester != .task {
      try refuse(.as, in: fields, of: row)
      try refuse(.window, in: fields, of: row)
    }
    guard thread != nil || window != nil else { return nil }
    return TaskReference(
      thread: try thread.map { value throws(InputError) in try names.identity(value) },
      window: try window?.text())
  }

  // Without this attribute, the compiler inlines the function in one of two ways, depending on
  // addresses. Builds would then differ.
  @inline(never)
  private static func refuse(
    _ qualifier: Qualifier, in fields: Fields<Key>, of row: StepRow
  ) throws(InputError) {
    guard fields[.qualifier(qualifier)] != nil else { return }
    throw InputError(
      .conflictingKeys, at: fields.position(of: .qualifier(qualifier)),
      "`\(row.word)` has no `\(qualifier.rawValue)`: the step is not a task of an app")
  }
}

extension InputError {
  /// Returns whether the error is about the type of `value` itself. False for any mapping.
  fileprivate func isOfType(of value: YAMLValue) -> Bool {
    if case .mapping = value.kind { return false }
    return code == .wrongType && position == value.position
  }
}
