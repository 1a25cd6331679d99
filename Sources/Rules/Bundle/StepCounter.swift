/// Counts the steps of algorithms that could be superlinear in the size of a list. Tests check the counts.
enum StepCounter {
  /// The meter that counts; nil to disable counting.
  @TaskLocal static var meter: Meter?

  final class Meter: @unchecked Sendable {
    /// The number of steps. Only the task that installed the meter writes it.
    fileprivate(set) var steps = 0
  }

  static func add(_ steps: Int) {
    if let meter { meter.steps += steps }
  }
}
