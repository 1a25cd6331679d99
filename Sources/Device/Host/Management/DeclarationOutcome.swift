package import Declarations

/// The result of declarations that an administrator applied.
package struct DeclarationOutcome: Sendable {
  /// Number of declarations, whatever they say.
  package var count: Int
  /// Identifiers of the configurations that are active, in order.
  package var configurations: [String] = []
  /// Faults and oddities, first of the declarations and then on this device.
  package var problems: [DeclarationProblem] = []
  package var changes: [Change] = []

  /// A change for an app or extension.
  package struct Change: Sendable {
    package var change: DeliveryChange
    /// Names of the recipient's running guests, which are told of the change.
    package var running: [String]

    init(_ change: DeliveryChange, running: [String]) {
      self.change = change
      self.running = running
    }
  }

  init(count: Int) { self.count = count }
}
