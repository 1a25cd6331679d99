internal import Encodings
package import Model

extension Action {
  /// The condition for which a step waits.
  package enum Wait: StepDetail {
    /// No guest is busy, and no message is in flight.
    case idle
    /// The given real time has passed.
    case duration(seconds: Int)
    case item(ExpectedItem)
    /// The device has decided a request that an app's own program made, without an instruction from a step.
    case decision(ExpectedDecision)
    /// A guest has written a line that contains the text.
    case output(ExpectedOutput)

    /// The maximum for ``duration(seconds:)``, in seconds of real time.
    package static let longest = 30
  }
}

extension Action.Wait {
  package var concernsEachDevice: Bool {
    switch self {
    case .idle, .duration: true
    case .item, .decision, .output: false
    }
  }

  package var text: String {
    switch self {
    case .idle: "wait until nothing is in flight"
    case .duration(let seconds): "wait \(ISODuration.text(seconds)) of real time"
    case .item(let item): "wait until \(item.guest) gets \(item.words)"
    case .decision(let decision): "wait for the decision on \(decision.words)"
    case .output(let output): "wait until \(output.words)"
    }
  }

  package var demand: String? {
    switch self {
    case .idle, .duration: nil
    case .item(let item): "\(item.words) for `\(item.guest)`"
    case .decision(let decision): "a decision on \(decision.words)"
    case .output(let output): "a line with `\(short(output.text))` from `\(output.guest)`"
    }
  }

  static let step = StepRow(
    "wait",
    "Wait until every guest is idle and nothing is in flight, for real time of PT1S to PT30S, or until an app receives an item, has a request of its own decided, or writes a line",
    .either(
      [.constant("idle"), .name(matching: "^PT([1-9]|[12][0-9]|30)S$")],
      MappingRow("wait", Key.self, "What to wait for")),
    example: #"{"received": {"app": "viewer", "text": "Quarterly figures"}}"#,
    synonyms: ["sleep", "pause", "await"],
    page: "#waiting"
  ) { (value, names) throws(InputError) in .wait(try Action.Wait(value, names)) }

  private enum Key: String, MappingKey {
    case received, decided, said

    var row: KeyRow {
      switch self {
      case .received: .optional(.reference("expectedItem"), nil)
      case .decided: .optional(.reference("expectedDecision"), nil)
      case .said: .optional(.reference("expectedOutput"), nil)
      }
    }
  }

  private init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    if case .mapping = value.kind {
      self = try Self.arrival(value, names)
      return
    }
    let text = try value.text()
    if text == "idle" {
      self = .idle
    } else if let seconds = ISODuration.seconds(text), (1...Self.longest).contains(seconds) {
      self = .duration(seconds: seconds)
    } else {
      throw value.mistake(
        .invalidValue,
        "`wait` must be `idle`, real time from `PT1S` to `PT\(Self.longest)S`, "
          + "`{ received: { app: … } }`, `{ decided: { app: … } }` or `{ said: { app: …, text: … } }`, "
          + "found `\(text)`"
          + (ISODuration.seconds(text).map { $0 > Self.longest } == true
            ? "; the device's clock advances only by `advance`" : ""))
    }
  }

  private static func arrival(_ value: YAMLValue, _ names: Names) throws(InputError) -> Self {
    let fields = try Fields<Key>(value, "a wait")
    try fields.rejectConflict(.decided, with: .received)
    try fields.rejectConflict(.said, with: .received)
    try fields.rejectConflict(.said, with: .decided)
    if let output = fields[.said] {
      return .output(try Action.ExpectedOutput(output, names))
    }
    if let decision = fields[.decided] {
      return .decision(try Action.ExpectedDecision(decision, names))
    }
    guard let item = fields[.received] else {
      throw value.mistake(.missingKey, "a wait needs `received`, `decided` or `said`")
    }
    return .item(try Action.ExpectedItem(item, names))
  }
}

// MARK: - Expected item

extension Action {
  /// An item that a step waits for. The app may already have received it. A property that is nil matches all values.
  package struct ExpectedItem: Sendable, Equatable {
    /// The name of the guest or extension that receives the item.
    package var guest: String
    package var text: String?
    package var type: String?
    /// The name or bundle id of the sending guest.
    package var sender: String?

    package init(guest: String, text: String? = nil, type: String? = nil, sender: String? = nil) {
      self.guest = guest
      self.text = text
      self.type = type
      self.sender = sender
    }
  }
}

extension Action.ExpectedItem {
  /// The item as a phrase, such as `` `Minutes` of the type public.text from mail ``.
  package var words: String {
    let what = text.map { Excerpt($0).words } ?? "an item"
    return what + (type.map { " of the type \($0)" } ?? "") + (sender.map { " from \($0)" } ?? "")
  }

  static let mapping = MappingRow(
    "expectedItem", Key.self,
    "An item that an app has got since the case began, and that no step has waited for")

  private enum Key: String, MappingKey {
    case app, text, type, from

    var row: KeyRow {
      switch self {
      case .app: .required(.name, "Name of the guest that gets it, or of an extension")
      case .text: .optional(.text, "Its whole text. Default: any")
      case .type: .optional(.name, "Its uniform type. Default: any")
      case .from:
        .optional(.name, "Name of the guest that it comes from, or a bundle id. Default: any")
      }
    }
  }

  fileprivate init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "an item to wait for")
    self.init(
      guest: try names.guest(fields.required(.app)), text: try fields[.text]?.text(),
      type: try fields[.type]?.text(), sender: try fields[.from].map(names.destination))
  }
}

// MARK: - Expected decision

extension Action {
  /// A decision that a step waits for, and that may have been made already. An app's own program makes the request,
  /// without an instruction from a step. A property that is nil matches all values.
  package struct ExpectedDecision: Sendable, Hashable {
    /// The name of the requesting guest or extension.
    package var guest: String
    package var operation: Operation?
    /// The name or bundle id of the second guest in the request, such as a share's receiver.
    package var other: String?
    package var outcome: Outcome?
    package var deciding: Rule?

    package init(
      guest: String, operation: Operation? = nil, other: String? = nil, outcome: Outcome? = nil,
      deciding: Rule? = nil
    ) {
      self.guest = guest
      self.operation = operation
      self.other = other
      self.outcome = outcome
      self.deciding = deciding
    }
  }
}

extension Action.ExpectedDecision {
  /// The decision as a phrase, such as `share of mail with notes, blocked by sendNone`.
  package var words: String {
    let what = "\(operation?.rawValue ?? "a request") of \(guest)"
    let whom = other.map { " with \($0)" } ?? ""
    let how = [outcome?.rawValue, deciding.map { "by \($0.rawValue)" }].compactMap(\.self)
    return what + whom + (how.isEmpty ? "" : ", " + how.joined(separator: " "))
  }

  /// The decision as one line of YAML: the value of the key `decided` in a `wait` step.
  package var flowText: String {
    let values: [(key: Key, value: String?)] = [
      (.app, guest), (.request, operation?.rawValue), (.with, other),
      (.verdict, outcome?.rawValue), (.decidedBy, deciding?.rawValue),
    ]
    let members = values.compactMap { key, value in
      value.map { "\(key.rawValue): \(YAMLScalar.text($0))" }
    }
    return "{ " + members.joined(separator: ", ") + " }"
  }

  static let mapping = MappingRow(
    "expectedDecision", Key.self,
    "A decision on a request that an app's own program has made by itself since the case began, and that no step has waited for"
  )

  private enum Key: String, MappingKey {
    case app, request, with, verdict, decidedBy

    var row: KeyRow {
      switch self {
      case .app: .required(.name, "Name of the guest that asks, or of an extension")
      case .request:
        .optional(
          .word(of: Operation.self), "The operation, as in the journal. Default: any")
      case .with:
        .optional(.name, "Name of the guest at the other end, or a bundle id. Default: any")
      case .verdict: .optional(.word(of: Outcome.self), "The verdict's outcome. Default: any")
      case .decidedBy: .optional(.reference("rule"), "The rule that decided. Default: any")
      }
    }
  }

  fileprivate init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "a decision to wait for")
    self.init(
      guest: try names.guest(fields.required(.app)), operation: try fields[.request]?.word(),
      other: try fields[.with].map(names.destination), outcome: try fields[.verdict]?.word(),
      deciding: try fields[.decidedBy]?.word())
  }
}

// MARK: - Expected output

extension Action {
  /// Output that a guest writes to its log, standard output or standard error.
  package struct ExpectedOutput: Sendable, Equatable {
    package var guest: String
    /// A substring of the expected line.
    package var text: String
  }
}

extension Action.ExpectedOutput {
  package var words: String { "\(guest) has written `\(short(text))`" }

  /// Returns a clause for messages. It states that the expected line is missing from the output since the last step
  /// that read the output, and quotes the last lines of `output`, at most three.
  package func absence(from output: String) -> String {
    let lines = output.split(whereSeparator: \.isNewline).suffix(3).map {
      Excerpt(String($0)).words
    }
    return
      "`\(guest)` has written no line with `\(short(text))` since the last step that read its output"
      + (lines.isEmpty ? "" : "; the output ends with \(lines.joined(separator: ", "))")
  }

  static let mapping = MappingRow(
    "expectedOutput", Key.self,
    "A line that a guest has written since the case began or the last `log` step, within the "
      + "last 64 KiB; the step also ends if the guest has exited")

  private enum Key: String, MappingKey {
    case app, text

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .text: .required(.text, "A part of the line")
      }
    }
  }

  fileprivate init(_ value: YAMLValue, _ names: Names) throws(InputError) {
    let fields = try Fields<Key>(value, "output")
    let text = try fields.required(.text)
    self.init(guest: try names.guest(fields.required(.app)), text: try text.text())
    guard !self.text.contains(where: \.isNewline), !self.text.isEmpty else {
      throw text.mistake(.invalidValue, "`text` must be a part of one line, without line breaks")
    }
  }
}

// MARK: - Virtual time

extension Action {
  /// An advance of the device's virtual clock.
  package struct Advance: StepDetail {
    /// The number of seconds, which is at least 1.
    package var seconds: Int
  }
}

extension Action.Advance {
  package var concernsEachDevice: Bool { true }

  package var text: String { "the clock advances by \(ISODuration.text(seconds))" }

  static let step = StepRow(
    "advance",
    "Advance the virtual clock by an ISO 8601 duration of weeks, days, hours, minutes and seconds",
    .value(.duration),
    example: #""PT1H""#,
    synonyms: ["sleep", "time", "clock", "pass"]
  ) { (value, names) throws(InputError) in
    .advance(try Action.Advance(seconds: Action.Advance.seconds(value)))
  }

  static func seconds(_ value: YAMLValue) throws(InputError) -> Int {
    let text = try value.text()
    // The clock must stay within the years that timestamps can represent.
    guard let seconds = ISODuration.seconds(text), seconds > 0,
      seconds <= Timestamp.range.upperBound
    else {
      throw value.mistake(
        .invalidValue,
        "`\(value.name)` must be a duration in weeks, days, hours, minutes or seconds, such as `PT1H`, "
          + "found `\(text)`")
    }
    return seconds
  }
}

// MARK: - Concurrent steps

extension Action {
  /// Steps that all start before any of them ends.
  package struct Concurrency: StepDetail {
    /// The steps; at least one. In a scenario, no step is `concurrently` or `traffic`, and no step has `repeat`,
    /// `handsBack` or `taps`.
    package var steps: [Step]
    /// The title that reports show instead of the steps' texts; nil if they show the texts.
    var title: String?

    package init(steps: [Step]) { self.steps = steps }

    init(steps: [Step], title: String) {
      self.steps = steps
      self.title = title
    }
  }
}

extension Action.Concurrency {
  package var text: String {
    title.map { "\($0): \(steps.count) at once" }
      ?? "at once: \(steps.map(\.text).joined(separator: "; "))"
  }

  static let step = StepRow(
    "concurrently",
    "Steps that start before any of them ends; none is `concurrently` or `traffic`, or has `repeat`",
    .value(.reference("steps")),
    example: #"[{"launch": "mail"}, {"launch": "viewer"}]"#
  ) { (value, names) throws(InputError) in
    .concurrently(try Action.Concurrency(steps: Action.Concurrency.steps(value, names)))
  }

  static func steps(_ value: YAMLValue, _ names: Names) throws(InputError) -> [Step] {
    let steps = try Step.readAll(value, names)
    for step in steps {
      if case .concurrently = step.action {
        throw InputError(
          .invalidValue, at: step.position, "`concurrently` cannot contain another `concurrently`")
      }
      if case .traffic = step.action {
        throw InputError(
          .invalidValue, at: step.position, "`concurrently` cannot contain `traffic`")
      }
      guard step.count == 1 else {
        throw InputError(
          .invalidValue, at: step.position, "a step within `concurrently` cannot have `repeat`")
      }
      if case .share(let share) = step.action, let key = share.runKey {
        throw InputError(
          .invalidValue, at: step.position, "a step within `concurrently` cannot have `\(key)`")
      }
    }
    return steps
  }
}
