package import Declarations

/// What became of declarations that an administrator applied.
package struct DeclarationOutcome: Sendable {
  /// How many declarations there are, whatever they say.
  package var count: Int
  /// Identifiers of the configurations that are active, in order.
  package var configurations: [String] = []
  /// What is wrong or odd, first about the declarations and then about this device.
  package var problems: [DeclarationProblem] = []
  package var changes: [Change] = []

  /// What is other for an app or extension than before.
  package struct Change: Sendable {
    package var change: DeliveryChange
    /// Its guests that run, which hear of it.
    package var running: [String]

    init(_ change: DeliveryChange, running: [String]) {
      self.change = change
      self.running = running
    }
  }

  init(count: Int) { self.count = count }
}
