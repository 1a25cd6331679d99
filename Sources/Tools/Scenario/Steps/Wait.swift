internal import Encodings

extension Action {
  /// The condition that a step waits for.
  public enum Wait: StepDetail {
    /// No guest works, and nothing is on its way.
    case idle
    /// Real time has passed.
    case duration(seconds: Int)
    case item(ExpectedItem)
    /// The device has decided on a request that an app made by itself.
    case decision(ExpectedDecision)
    /// A guest has written a line that contains the text.
    case output(ExpectedOutput)

    /// The longest time that a step can wait unconditionally, in seconds of real time.
    public static let longest = 30
  }
}

extension Action.Wait {
  public var text: String {
    switch self {
    case .idle: "wait until nothing is on its way"
    case .duration(let seconds): "wait \(ISODuration.text(seconds)) of real time"
    case .item(let item): "wait until \(item.guest) gets \(item.words)"
    case .decision(let decision): "wait for the decision on \(decision.words)"
    case .output(let output): "wait until \(output.words)"
    }
  }

  public var demand: String? {
    switch self {
    case .idle, .duration: nil
    case .item(let item): "\(item.words) for `\(item.guest)`"
    case .decision(let decision): "a decision on \(decision.words)"
    case .output(let output): "a line with `\(short(output.text))` from `\(output.guest)`"
    }
  }
}

extension Action.Wait {
  static let step = StepRow(
    "Wait until no guest works and nothing is on its way, for real time of PT1S to PT30S, or until an item has come to an app, a request that it made by itself is decided, or it has written a line",
    .either(
      [.constant("idle"), .name(matching: "^PT([1-9]|[12][0-9]|30)S$")],
      MappingRow("wait", Key.self, "What to wait for")),
    example: #"{"received": {"app": "viewer", "text": "Quarterly figures"}}"#,
    [
      "`wait: idle`":
        "wait until nothing goes on: no request is open and no message on its way, and every guest that runs [waits for something](#waiting)",
      "`wait: PT2S`": "wait for so many seconds of real time, 1 to 30",
      "`wait: { received: { app, text, type, from } }`":
        "wait until an app or extension has got an item: one that has come since the case began, and that no `wait` has taken before. Only `app` is needed; `from` is a guest or a bundle id",
      "`wait: { decided: { app, request, with, verdict, decidedBy } }`":
        "wait until the device has decided on a request that an app or extension with a program of its own made by itself, not for a step: one since the case began, and that no `wait` has taken before. Only `app` is needed; `request` is the [operation](journal.md), `with` the guest or bundle id at the other end",
      "`wait: { said: { app, text } }`":
        "wait until a guest has written `text` within a line of its log, standard output or standard error, since the case began or a `log` step last looked (of the last 64 KiB), or has ended",
    ]
  ) { (value, names) throws(Mistake) in .wait(try Action.Wait(value, names)) }

  enum Key: String, MappingKey {
    case received, decided, said

    var row: KeyRow {
      switch self {
      case .received: .optional(.reference("expectedItem"), nil)
      case .decided: .optional(.reference("expectedDecision"), nil)
      case .said: .optional(.reference("expectedOutput"), nil)
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
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
            ? "; the device's own clock runs on by `advance`" : ""))
    }
  }

  private static func arrival(_ value: YAMLValue, _ names: Names) throws(Mistake) -> Self {
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
