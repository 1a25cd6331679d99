internal import Wire

/// The requests that wait for their outcomes, by their numbers.
struct OpenRequests {
  private var next: UInt64 = 1
  private var completions: [UInt64: (RequestOutcome) -> Void] = [:]

  /// Returns the number of a new request.
  mutating func open(_ completion: @escaping (RequestOutcome) -> Void) -> UInt64 {
    defer { next += 1 }
    completions[next] = completion
    return next
  }

  /// Returns the function that takes the outcome of a request; nil where no such request waits.
  mutating func close(_ number: UInt64) -> ((RequestOutcome) -> Void)? {
    completions.removeValue(forKey: number)
  }
}
