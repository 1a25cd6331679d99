/// Returns the time that `body` takes, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let elapsed = try clock.measure(body)
  return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}

extension [Double] {
  /// Returns the percentile for `share`, from 0 to 1. The array must not be empty; a copy of it is
  /// sorted.
  func percentile(_ share: Double) -> Double {
    sorted()[Swift.min(count - 1, Int(Double(count) * share))]
  }
}
