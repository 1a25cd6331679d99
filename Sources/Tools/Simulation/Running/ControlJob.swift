/// Who asks things of a running device: a connection to its control socket, or the memory of a test.
protocol ControlAsker: AnyObject {
  /// Whether it will never read an answer.
  var isGone: Bool { get }
  /// Whether there is no connection any more.
  var isClosed: Bool { get }
  /// What it has of the journal; nil: it does not follow it.
  var follower: JournalFollower? { get set }
  /// One of its requests is settled.
  func settled()
}

/// A request of a client, until it is answered.
final class ControlJob {
  let request: ControlRequest
  private weak var client: (any ControlAsker)?
  private var done: (([UInt8]?) -> Void)?

  init(
    _ request: ControlRequest, of client: any ControlAsker, _ done: @escaping ([UInt8]?) -> Void
  ) {
    self.request = request
    self.client = client
    self.done = done
  }

  /// Who asks; nil where they have gone.
  var asker: (any ControlAsker)? { client.flatMap { $0.isClosed ? nil : $0 } }

  /// Whether somebody asked who is not there any more for the answer. What nobody waits for from the beginning is carried
  /// out all the same.
  var isAbandoned: Bool { request.id != nil && client?.isGone ?? true }

  /// Answers, unless that has been done.
  func answer(_ text: ([UInt8]) -> [UInt8]) {
    guard let done else { return }
    self.done = nil
    done(request.id.map(text))
    client?.settled()
  }

  func refuse(_ error: ControlError) {
    answer { ControlAnswer.error(error, id: $0) }
  }
}
