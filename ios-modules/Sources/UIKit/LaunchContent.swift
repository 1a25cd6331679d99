/// The URLs that the app was launched to open. The main thread waits while they are collected. The
/// class must be used only on the connection's thread.
final class LaunchContent: @unchecked Sendable {
  /// The URLs collected so far; nil after they have been delivered.
  private var urls: [IncomingURL]? = []
  /// The number of files that are still being written to the container.
  private var filesUnderway = 0
  private var isComplete = false
  private var taker: (([IncomingURL]) -> Void)?

  /// Adds a URL.
  ///
  /// - Returns: false if the URL arrived too late, because the content has already been delivered.
  func add(_ url: IncomingURL) -> Bool {
    urls?.append(url)
    return urls != nil
  }

  func fileBegins() { filesUnderway += 1 }

  func fileEnds() {
    filesUnderway -= 1
    handOver()
  }

  func complete() {
    isComplete = true
    handOver()
  }

  /// Calls `taker` with the content as soon as the content is complete.
  func take(_ taker: @escaping ([IncomingURL]) -> Void) {
    self.taker = taker
    handOver()
  }

  private func handOver() {
    guard isComplete, filesUnderway == 0, let taker, let urls else { return }
    self.urls = nil
    taker(urls)
  }
}
