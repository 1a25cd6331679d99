/// Counts the steps of algorithms that could be superlinear in the size of a list or a specification. Tests check
/// the counts.
package enum StepCounter {
  /// The counter of the current task; nil to disable counting.
  @TaskLocal package static var meter: Meter?

  package final class Meter: @unchecked Sendable {
    /// The number of steps. Only the task that installed this meter writes it.
    package fileprivate(set) var steps = 0

    package init() {}
  }

  package static func add(_ steps: Int) {
    if let meter { meter.steps += steps }
  }
}
