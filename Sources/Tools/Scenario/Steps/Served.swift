extension Action {
  /// A look at the requests that a server has received since the last look; where there are none, the step waits for
  /// some.
  public struct Served: StepDetail {
    /// The name of a server of the scenario.
    public var server: String
  }
}

extension Action.Served {
  public var text: String { "the server \(server) is asked" }
}

extension Action.Served {
  static let step = StepRow(
    "Look at who came to a server since the last look, or wait for somebody",
    .value(.name),
    example: #""resources""#,
    [
      "`served: SERVER`":
        "look at who came to a [server](#servers) since the last look; where nobody did, wait for somebody"
    ], expects: [.received]
  ) { (value, names) throws(Mistake) in .served(Action.Served(server: try names.server(value))) }
}
