extension Action {
  /// A look at what a guest has written.
  public struct LogReading: StepDetail {
    public var guest: String
  }
}

extension Action.LogReading {
  public var actingGuest: String? { guest }

  public var text: String { "what \(guest) has written" }
}

extension Action.LogReading {
  static let step = StepRow(
    "Look at what a guest has written since the last look: its log, standard output and standard error",
    .value(.name),
    example: #""mail""#,
    [
      "`log: mail`":
        "look at the lines that a guest has written since the last look: its log, standard output and standard error"
    ], expects: [.received, .said]
  ) { (value, names) throws(Mistake) in .log(try Action.LogReading(value, names)) }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    self.init(guest: try names.guest(value))
  }
}
