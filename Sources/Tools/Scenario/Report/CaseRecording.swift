public import Model

/// The remains of a case that ran: its journal, and facts that the journal does not hold.
public struct CaseRecording: Sendable {
  /// The events of this case alone.
  public var events: [JournalEvent]
  /// The duration of the case, in real time.
  public var duration: Duration
  /// The output of the case's guests, in the order of their names.
  public var output: [GuestOutput]
  /// The texts that extensions handed back, by the number of the request.
  public var returned: [Int: String]
  /// The numbers of the steps with parts that were carried out at once, so that their requests have no order.
  public var unordered: Set<Int>

  /// Creates a recording of a case.
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
