/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let elapsed = try clock.measure(body)
  return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}

extension [Double] {
  /// The value that `share` of the sorted values (0 to 1) do not exceed. Sorts; not for empty arrays.
  func percentile(_ share: Double) -> Double {
    sorted()[Swift.min(count - 1, Int(Double(count) * share))]
  }
}
