/// The control group of this process in the hierarchy of version 2 (cgroups(7)), as far as devices can use it.
package enum ControlGroup: Sendable, Equatable {
  /// There is no such hierarchy.
  case absent
  /// - Parameter controllers: those of ``needed`` that groups below it cannot have.
  case lacking(controllers: [String], folder: String)
  /// The group belongs to somebody else.
  case foreign(folder: String)
  /// Other processes are in the group, which therefore cannot hand controllers on to groups below it.
  case crowded(folder: String)
  case delegated(folder: String)

  /// The controllers that bound a guest with all that it starts.
  static let needed = ["memory", "pids"]
}
