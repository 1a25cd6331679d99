internal import Foundation

/// The error that a condition did not become true before ``patience`` was over.
public struct NeverHappened: Error, CustomStringConvertible {
  public let description: String

  public init(description: String) { self.description = description }
}

/// Waits until a condition becomes true that depends on other threads or processes.
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

/// A limit that catches hangs even on the slowest machine. It is not a performance expectation.
public let patience: Duration = .seconds(600)
