internal import Encodings

extension Action {
  /// The condition that a step waits for.
  public enum Wait: StepDetail {
    /// No guest works, and nothing is on its way.
    case idle
    /// Real time has passed.
    case duration(seconds: Int)
    case item(ExpectedItem)

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
    }
  }
}

extension Action.Wait {
  static let step = StepRow(
    "Wait until no guest works and nothing is on its way, for real time of PT1S to PT30S, or until an item has come to an app",
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
    ]
  ) { (value, names) throws(Mistake) in .wait(try Action.Wait(value, names)) }

  enum Key: String, MappingKey {
    case received

    var row: KeyRow {
      switch self {
      case .received: .required(.reference("expectedItem"), nil)
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    if case .mapping = value.kind {
      let fields = try Fields<Key>(value, "a wait")
      self = .item(try Action.ExpectedItem(fields.required(.received), names))
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
        "`wait` must be `idle`, real time from `PT1S` to `PT\(Self.longest)S`, or "
          + "`{ received: { app: … } }`, found `\(text)`"
          + (ISODuration.seconds(text).map { $0 > Self.longest } == true
            ? "; the device's own clock runs on by `advance`" : ""))
    }
  }
}
