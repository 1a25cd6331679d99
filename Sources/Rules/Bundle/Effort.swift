/// Counts the steps of what could grow faster than a list does, so that tests can hold it to its size.
enum Effort {
  /// Gets the steps; nil: nobody counts.
  @TaskLocal static var meter: Meter?

  final class Meter: @unchecked Sendable {
    /// Written by the one task that the meter is given to.
    fileprivate(set) var steps = 0
  }

  static func spend(_ steps: Int) {
    if let meter { meter.steps += steps }
  }
}
