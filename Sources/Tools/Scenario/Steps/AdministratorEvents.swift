extension Action {
  /// A look at the device's event log, as the administrator takes it.
  public struct AdministratorEvents: StepDetail {
  }
}

extension Action.AdministratorEvents {
  public var text: String { "the administrator reads the event log" }
}

extension Action.AdministratorEvents {
  static let step = StepRow(
    "Look at the device's event log, as the administrator does",
    .value(.constant("device")),
    example: #""device""#,
    [
      "`administratorEvents: device`": "look at the device's event log"
    ], expects: [.received]
  ) { (value, names) throws(Mistake) in .administratorEvents(try Action.AdministratorEvents(value))
  }

  /// Reads the word `device`.
  ///
  /// - Throws: ``Mistake`` where the value is another word.
  init(_ value: YAMLValue) throws(Mistake) { try value.require("device") }
}
