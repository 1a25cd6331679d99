internal import NIOPosix

/// A thread for requests whose answers wait for something outside of the server. They run one after the other.
package final class PageThread: Sendable {
  private let pool = NIOThreadPool(numberOfThreads: 1)

  package init() { pool.start() }

  package func run(_ body: @escaping @Sendable () -> Void) {
    pool.submit { _ in body() }
  }
}
