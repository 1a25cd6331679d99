internal import Foundation

/// That a condition did not come to hold within ``patience``.
public struct NeverHappened: Error, CustomStringConvertible {
  public let description: String

  public init(description: String) { self.description = description }
}

/// Waits until a condition holds, which others bring about: processes, threads.
///
/// - Throws: ``NeverHappened`` where it takes longer than any machine needs for it, however busy.
public func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + patience
  while try !condition() {
    guard ContinuousClock.now < end else {
      throw NeverHappened(description: "waited in vain until \(what)")
    }
    usleep(500)
  }
}

/// A bound against hanging, and no expectation.
public let patience: Duration = .seconds(600)
