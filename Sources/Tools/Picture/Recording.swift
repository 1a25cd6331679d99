public import Model

/// The events of a device, or of one case, with what the journal does not hold.
public struct Recording: Sendable {
  public var events: [JournalEvent]
  /// What to call the journal among others.
  public var name: String
  /// The scenario's file, as it was named; nil where it is not known.
  public var file: String?
  /// The lines that guests wrote.
  public var output: [Line]

  /// A line that a guest wrote.
  public struct Line: Sendable {
    public var guest: String
    public var text: String

    /// A line of `guest`.
    public init(guest: String, text: String) {
      self.guest = guest
      self.text = text
    }
  }

  /// A recording of `events`.
  public init(_ events: [JournalEvent], name: String, file: String? = nil, output: [Line] = []) {
    self.events = events
    self.name = name
    self.file = file
    self.output = output
  }
}
