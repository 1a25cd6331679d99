internal import Foundation

/// An error: a condition did not become true within ``patience``.
public struct NeverHappened: Error, CustomStringConvertible {
  public let description: String

  public init(description: String) { self.description = description }
}

/// Waits until a condition becomes true that other threads or processes bring about.
///
/// - Throws: ``NeverHappened`` if the condition is still false after ``patience``.
public func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + patience
  while try !condition() {
    guard ContinuousClock.now < end else {
      throw NeverHappened(description: "waited in vain until \(what)")
    }
    usleep(500)
  }
}

/// A limit that catches hangs on even the slowest machine; not a performance expectation.
public let patience: Duration = .seconds(600)
