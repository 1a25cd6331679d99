package import Bundle

/// What a set of declarations amounts to on a device: who gets what, and how each of them fares.
///
/// A function of the declarations, the device's status items and its programs; nothing else, and
/// no order, counts.
package struct ManagedDelivery: Sendable, Equatable {
  /// What each app and extension gets, by the identity that its code signature has to prove.
  package internal(set) var contents: [ComposedIdentifier: ManagedContent] = [:]
  /// Those of the profiles that are active, combined.
  package internal(set) var restrictions = Restrictions()
  /// What all settings of apps together let it show and launch.
  package internal(set) var appAccess = AppAccess()
  /// Those of all management properties. Of one that is set twice the one of the first identifier
  /// holds.
  package internal(set) var properties: [String: StatusValue] = [:]
  /// The status items that the administrator has subscribed to.
  package internal(set) var subscriptions: Set<String> = []
  /// All declarations, by kind and identifier.
  package internal(set) var states: [DeclarationState] = []
  /// The apps that declarations manage, by bundle identifier.
  package internal(set) var apps: [ManagedAppState] = []
  /// What only shows on a device; what is wrong with the declarations is with those.
  package internal(set) var problems: [DeclarationProblem] = []

  /// Nothing is declared, and nobody gets anything.
  package init() {}

  package init(
    _ declarations: DeclarationSet, items: StatusItems, programs: [InstalledProgram]
  ) {
    var builder = DeliveryBuilder(declarations, items: items, programs: programs)
    self = builder.build()
  }

  /// What a process is given.
  ///
  /// - Parameter identifier: what its code signature proves.
  /// - Returns: nil where nothing is managed for it.
  package subscript(identifier: ComposedIdentifier) -> ManagedContent? { contents[identifier] }
}
