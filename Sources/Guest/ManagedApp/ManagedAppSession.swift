// Apple's framework exports these names itself.
@_exported public import enum Model.ManagedAppError
@_exported public import enum Model.SignatureAlgorithm
public import SluiceKit
internal import Synchronization

extension Application {
  /// Makes this app the one that the providers of this module ask for. To be called once, on the app's own thread, before
  /// any provider is used and before ``SluiceKit/Application/run()``; an app on iOS needs nothing like it.
  public func startManagedApp() { ManagedAppSession.begin(in: self) }
}

/// The way from any task to the app's own thread, the only one that talks to the device.
enum ManagedAppSession {
  private static let current = Mutex<ApplicationRemote?>(nil)

  fileprivate static func begin(in application: Application) {
    let remote = application.remote
    current.withLock { $0 = remote }
  }

  private static var remote: ApplicationRemote {
    guard let remote = current.withLock({ $0 }) else {
      preconditionFailure("call `startManagedApp()` of the app before its providers")
    }
    return remote
  }

  /// Has the app's thread ask the device.
  ///
  /// - Parameter gone: the answer where the app has ended.
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

  /// Yields when the administrator changes `aspect`. Changes that were not looked at yet count as one.
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
