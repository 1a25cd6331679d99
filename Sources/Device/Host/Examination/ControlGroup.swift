/// The control group of this process in the hierarchy of version 2 (cgroups(7)).
package enum ControlGroup: Sendable, Equatable {
  /// There is no such hierarchy.
  case absent
  /// - Parameters:
  ///   - controllers: the controllers that groups below it may use.
  ///   - isDelegated: whether this user may make such groups and move processes into them.
  case present(folder: String, controllers: [String], isDelegated: Bool)

  /// The controllers that would bound a guest with all that it starts.
  static let needed = ["memory", "pids"]
}
