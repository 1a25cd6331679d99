/// What the app was launched to open, collected while the main thread waits for it. Of the connection's thread.
final class LaunchContent: @unchecked Sendable {
  /// nil: it has been handed over.
  private var urls: [IncomingURL]? = []
  /// Files that have come and are not in the container yet.
  private var filesUnderway = 0
  private var isComplete = false
  private var taker: (([IncomingURL]) -> Void)?

  /// - Returns: false where everything has been handed over: the URL has come afterwards.
  func add(_ url: IncomingURL) -> Bool {
    urls?.append(url)
    return urls != nil
  }

  func fileBegins() { filesUnderway += 1 }

  func fileEnds() {
    filesUnderway -= 1
    handOver()
  }

  /// Everything has come.
  func complete() {
    isComplete = true
    handOver()
  }

  /// Hands over everything, once it is there.
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
