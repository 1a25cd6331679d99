/// The URLs that the app was launched to open, collected while the main thread waits. Confined to the
/// connection's thread.
final class LaunchContent: @unchecked Sendable {
  /// The collected URLs; nil once they have been delivered.
  private var urls: [IncomingURL]? = []
  /// The number of files that are still being written to the container.
  private var filesUnderway = 0
  private var isComplete = false
  private var taker: (([IncomingURL]) -> Void)?

  /// - Returns: false if the content has already been delivered, so the URL arrived too late.
  func add(_ url: IncomingURL) -> Bool {
    urls?.append(url)
    return urls != nil
  }

  func fileBegins() { filesUnderway += 1 }

  func fileEnds() {
    filesUnderway -= 1
    handOver()
  }

  /// Marks the content as complete.
  func complete() {
    isComplete = true
    handOver()
  }

  /// Delivers the content once it is complete.
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
