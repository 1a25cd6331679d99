/// Counts the steps of algorithms that could grow faster than a list does, so that tests can hold them to its size.
enum Effort {
  /// The meter that gets the steps; nil: nobody counts.
  @TaskLocal static var meter: Meter?

  final class Meter: @unchecked Sendable {
    /// The number of steps, written by the one task that the meter is given to.
    fileprivate(set) var steps = 0
  }

  static func spend(_ steps: Int) {
    if let meter { meter.steps += steps }
  }
}
