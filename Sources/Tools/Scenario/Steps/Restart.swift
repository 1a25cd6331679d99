extension Action {
  /// A restart of the device: it is taken down, and brought up again in its folder.
  public struct Restart: StepDetail {
  }
}

extension Action.Restart {
  public var text: String { "the device goes down and comes up again" }
}

extension Action.Restart {
  static let step = StepRow(
    "Take the device down and bring it up again with what it remembers",
    .value(.constant("device")),
    example: #""device""#,
    [
      "`restart: device`":
        "take the device down and bring it up again with what it remembers; no app runs then"
    ]
  ) { (value, names) throws(Mistake) in .restart(try Action.Restart(value)) }

  /// Reads the word `device`.
  ///
  /// - Throws: ``Mistake`` where the value is another word.
  init(_ value: YAMLValue) throws(Mistake) { try value.require("device") }
}
