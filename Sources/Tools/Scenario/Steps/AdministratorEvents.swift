extension Action {
  /// Look at the device's event log, as the administrator does.
  public struct AdministratorEvents: StepDetail {
  }
}

extension Action.AdministratorEvents {
  public var actingGuest: String? { nil }

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

  /// - Throws: a mistake where it is another word than `device`.
  init(_ value: YAMLValue) throws(Mistake) {
    guard try value.text() == "device" else {
      throw value.mistake(
        .invalidValue, "`administratorEvents` must be `device`, found `\(try value.text())`")
    }
  }
}
