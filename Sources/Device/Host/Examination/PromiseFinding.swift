package import JSON

/// A finding about one promise of a machine.
package struct PromiseFinding: Sendable, Equatable {
  /// The extent to which a promise is kept.
  package enum State: String, Sendable, CaseIterable {
    case kept
    case partly
    case not
    /// Something else stands in for it.
    case unused
  }

  package let promise: MachinePromise
  package let state: State
  /// The fact that was found, in words.
  package let finding: String
  /// A sentence on what guests can do because of it, or what is not possible; nil where nothing is open.
  package let open: String?
  /// The change to the machine by which the promise is kept; nil where there is none to make.
  package let change: String?

  init(
    _ promise: MachinePromise, _ state: State, _ finding: String, open: String? = nil,
    change: String? = nil
  ) {
    self.promise = promise
    self.state = state
    self.finding = finding
    self.open = open
    self.change = change
  }

  /// Whether nothing is lacking.
  package var isComplete: Bool { state == .kept || state == .unused }

  /// Writes the finding as a JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", promise.rawValue)
      writer.member("state", state.rawValue)
      writer.member("finding", finding)
      writer.member("open", open)
      writer.member("change", change)
    }
  }
}
