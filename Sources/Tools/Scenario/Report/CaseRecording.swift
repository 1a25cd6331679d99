public import Model

/// What a case that ran has left: its journal, and what is known beside it.
public struct CaseRecording: Sendable {
  /// Of this case alone.
  public var events: [JournalEvent]
  /// How long it took, in real time.
  public var duration: Duration
  /// What its guests wrote, in the order of their names.
  public var output: [GuestOutput]
  /// The texts that extensions handed back, by the number of the request.
  public var returned: [Int: String]
  /// The numbers of the steps that had parts carried out at once, so that what was asked has no order.
  public var unordered: Set<Int>

  public init(
    events: [JournalEvent], duration: Duration, output: [GuestOutput] = [],
    returned: [Int: String] = [:], unordered: Set<Int> = []
  ) {
    self.events = events
    self.duration = duration
    self.output = output
    self.returned = returned
    self.unordered = unordered
  }
}
