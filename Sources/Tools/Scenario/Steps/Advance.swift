internal import Encodings
internal import Model

extension Action {
  /// An advance of the device's virtual clock.
  public struct Advance: StepDetail {
    /// The number of seconds, at least 1.
    public var seconds: Int

    /// Creates an advance by a number of seconds.
    public init(seconds: Int) { self.seconds = seconds }
  }
}

extension Action.Advance {
  public var text: String { "the clock advances by \(ISODuration.text(seconds))" }
}

extension Action.Advance {
  static let step = StepRow(
    "Advance the virtual clock by an ISO 8601 duration of weeks, days, hours, minutes and seconds",
    .value(.duration),
    example: #""PT1H""#,
    [
      "`advance: PT1H`": "let the virtual clock run on, by weeks, days, hours, minutes and seconds"
    ]
  ) { (value, names) throws(Mistake) in
    .advance(try Action.Advance(seconds: Action.Advance.seconds(value)))
  }

  static func seconds(_ value: YAMLValue) throws(Mistake) -> Int {
    let text = try value.text()
    // The clock stays within the years that timestamps can express.
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
