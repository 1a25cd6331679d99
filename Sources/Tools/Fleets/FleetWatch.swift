/// What the coordinator of a fleet tells while it waits, and asks.
package struct FleetWatch {
  /// Shows a line in the place of the one before; an empty one at the end.
  let show: (String) -> Void
  /// Tells something once.
  let tell: (String) -> Void
  /// Whether somebody wants the fleet to end.
  let isInterrupted: () -> Bool

  package init(
    show: @escaping (String) -> Void, tell: @escaping (String) -> Void,
    isInterrupted: @escaping () -> Bool
  ) {
    self.show = show
    self.tell = tell
    self.isInterrupted = isInterrupted
  }
}
