internal import Dispatch

extension Array where Element: Sendable {
  /// Returns the results in the order of the elements. The function runs on all processors at once.
  package func concurrentMap<Result: Sendable>(
    _ function: @Sendable (Element) -> Result
  ) -> [Result] {
    [Result](unsafeUninitializedCapacity: count) { buffer, filled in
      // Each iteration initialises an element of its own.
      nonisolated(unsafe) let results = buffer
      DispatchQueue.concurrentPerform(iterations: count) { index in
        results.initializeElement(at: index, to: function(self[index]))
      }
      filled = count
    }
  }
}
