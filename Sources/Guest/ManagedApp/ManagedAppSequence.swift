internal import Model

/// The present value of an aspect, and each later one that the administrator provides. It never ends by itself.
struct ManagedAppSequence<Element>: AsyncSequence {
  typealias Failure = Never

  let aspect: ManagedAspect
  let current: () async -> Element

  func makeAsyncIterator() -> Iterator {
    Iterator(
      changes: ManagedAppSession.changes(of: aspect).makeAsyncIterator(), current: current)
  }

  struct Iterator: AsyncIteratorProtocol {
    /// The changes since before the first look, so that no change is missed.
    var changes: AsyncStream<Void>.Iterator
    let current: () async -> Element
    private var hasBegun = false

    init(changes: AsyncStream<Void>.Iterator, current: @escaping () async -> Element) {
      self.changes = changes
      self.current = current
    }

    /// - Returns: the value; nil where the task was cancelled.
    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if hasBegun {
        guard await changes.next(isolation: actor) != nil else { return nil }
      }
      hasBegun = true
      return await current()
    }

    mutating func next() async -> Element? { await next(isolation: #isolation) }
  }
}
