public import Foundation

extension NotificationCenter {
  /// Returns the notifications with this name that are posted from now on.
  ///
  /// - Parameter object: The sender; nil for any sender.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil)
    -> Notifications
  {
    Notifications(self, name, object)
  }

  /// A sequence of notifications. It ends only when its task is cancelled.
  ///
  /// As on iOS, observation begins when the sequence is created. Notifications are buffered, so a
  /// slow reader misses none.
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    private let center: NotificationCenter
    private let observer: any NSObjectProtocol
    private let stream: AsyncStream<Notification>

    init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
      self.center = center
      let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
      self.stream = stream
      observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
        nonisolated(unsafe) let notification = notification
        continuation.yield(notification)
      }
    }

    deinit { center.removeObserver(observer) }

    public func makeAsyncIterator() -> Iterator { Iterator(self, stream.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
      /// The observed sequence. The iterator retains it, because observation ends when the sequence
      /// is released.
      private let notifications: Notifications
      private var stream: AsyncStream<Notification>.Iterator

      init(_ notifications: Notifications, _ stream: AsyncStream<Notification>.Iterator) {
        self.notifications = notifications
        self.stream = stream
      }

      public mutating func next() async -> Notification? { await stream.next() }
    }
  }
}
