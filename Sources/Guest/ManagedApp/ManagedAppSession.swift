// These types are re-exported, because Apple's framework declares them itself.
@_exported public import enum Model.ManagedAppError
@_exported public import enum Model.SignatureAlgorithm
public import SluiceKit
internal import Synchronization

extension Application {
  /// Connects this module's providers to this app. iOS needs no such call, and neither do the modules of `ios-modules`.
  ///
  /// Call it once on the app's own thread, before you use a provider and before ``SluiceKit/Application/run()``.
  public func startManagedApp() { _ = remote }
}

/// Passes queries to the app's own thread, the only one that communicates with the device.
enum ManagedAppSession {
  private static var remote: ApplicationRemote {
    guard let remote = ApplicationRemote.current else {
      preconditionFailure("call the app's `startManagedApp()` before using a provider")
    }
    return remote
  }

  /// Runs `body` on the app's thread, and waits for its answer.
  ///
  /// - Parameter gone: The answer if the app has stopped.
  static func ask<Value: Sendable>(
    orWhenGone gone: Value,
    _ body: @escaping @Sendable (ManagedAppClient, @escaping (Value) -> Void) -> Void
  ) async -> Value {
    let remote = remote
    return await withCheckedContinuation { continuation in
      let isTaken = remote.enqueue { application in
        body(application.managedApp) { continuation.resume(returning: $0) }
      }
      if !isTaken { continuation.resume(returning: gone) }
    }
  }

  /// Returns a stream that yields when the administrator changes `aspect`. Unconsumed changes are
  /// merged into one.
  fileprivate static func changes(of aspect: ManagedAspect) -> AsyncStream<Void> {
    let remote = remote
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observer = Observer()
      remote.enqueue { application in
        let number = application.managedApp.addObserver { changed in
          if changed == aspect { continuation.yield() }
        }
        observer.number.withLock { $0 = number }
      }
      continuation.onTermination = { _ in
        remote.enqueue { application in
          guard let number = observer.number.withLock({ $0 }) else { return }
          application.managedApp.removeObserver(number)
        }
      }
    }
  }

  private final class Observer: Sendable {
    let number = Mutex<Int?>(nil)
  }
}

/// The current value of an aspect, followed by each later value. The sequence ends only if the task that reads it is
/// cancelled.
struct ManagedAppSequence<Element>: AsyncSequence {
  typealias Failure = Never

  let aspect: ManagedAspect
  let current: () async -> Element

  func makeAsyncIterator() -> Iterator {
    Iterator(
      changes: ManagedAppSession.changes(of: aspect).makeAsyncIterator(), current: current)
  }

  struct Iterator: AsyncIteratorProtocol {
    /// The changes of the aspect. The observation starts before the first query, so no change is missed.
    var changes: AsyncStream<Void>.Iterator
    let current: () async -> Element
    private var hasBegun = false

    init(changes: AsyncStream<Void>.Iterator, current: @escaping () async -> Element) {
      self.changes = changes
      self.current = current
    }

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
