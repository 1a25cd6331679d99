public import Testing

/// Of all suites that carry it, one runs at a time.
///
/// For suites that start processes, in whatever target: all of a test run is one process, and they count its
/// descriptors, set its limits and wait for its children.
public struct AloneTrait: SuiteTrait, TestScoping {
  private static let turnstile = Turnstile()

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    await Self.turnstile.enter()
    do {
      try await function()
      await Self.turnstile.leave()
    } catch {
      await Self.turnstile.leave()
      throw error
    }
  }
}

extension Trait where Self == AloneTrait {
  /// No other suite with this trait runs meanwhile.
  public static var alone: Self { Self() }
}

/// Lets one pass at a time, in the order of arrival.
private actor Turnstile {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func enter() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
