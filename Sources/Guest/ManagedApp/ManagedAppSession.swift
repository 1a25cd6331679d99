internal import Model
internal import SluiceKit
internal import Synchronization

/// The way from any task to the app's own thread, the only one that talks to the device.
enum ManagedAppSession {
  private static let current = Mutex<ApplicationRemote?>(nil)

  static func begin(in application: Application) {
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
  static func changes(of aspect: ManagedAspect) -> AsyncStream<Void> {
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
