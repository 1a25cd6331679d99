package import Bundle

/// The effect of a set of declarations on a device: the content for each recipient, and the state of each declaration.
///
/// The delivery is a function of the declarations, the device's status items and its programs; nothing else
/// counts, nor does any order.
package struct ManagedDelivery: Sendable, Equatable {
  /// The content for each app and extension, by the identity that its code signature has to prove.
  package internal(set) var contents: [ComposedIdentifier: ManagedContent] = [:]
  /// The combined restrictions of the active profiles.
  package internal(set) var restrictions = Restrictions()
  /// The apps that all settings of apps together let the device show and launch.
  package internal(set) var appAccess = AppAccess()
  /// The properties of all management declarations. Where two set the same property, the one with the first
  /// identifier counts.
  package internal(set) var properties: [String: StatusValue] = [:]
  /// The status items that the administrator has subscribed to.
  package internal(set) var subscriptions: Set<String> = []
  /// All declarations, by kind and identifier.
  package internal(set) var states: [DeclarationState] = []
  /// The apps that declarations manage, by bundle identifier.
  package internal(set) var apps: [ManagedAppState] = []
  /// The problems that only show on a device; problems of the declarations are in ``DeclarationSet``.
  package internal(set) var problems: [DeclarationProblem] = []

  /// Creates the delivery where nothing is declared.
  package init() {}

  /// Computes the delivery of `declarations` on a device with these status items and programs.
  package init(
    _ declarations: DeclarationSet, items: StatusItems, programs: [InstalledProgram]
  ) {
    var builder = DeliveryBuilder(declarations, items: items, programs: programs)
    self = builder.build()
  }

  /// The content for a process.
  ///
  /// - Parameter identifier: The identity that the process's code signature proves.
  /// - Returns: nil where nothing is managed for the process.
  package subscript(identifier: ComposedIdentifier) -> ManagedContent? { contents[identifier] }
}
