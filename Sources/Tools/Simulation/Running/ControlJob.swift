/// A party that makes requests of a running device, such as a connection to its control socket.
protocol ControlRequester: AnyObject {
  /// Whether the party will never read an answer.
  var isGone: Bool { get }
  /// Whether the connection is closed.
  var isClosed: Bool { get }
  /// The party's place in the journal; nil: the party does not follow the journal.
  var follower: JournalFollower? { get set }
  /// Notes that one of the party's requests is settled.
  func settled()
}

/// A request of a client, until it is answered.
final class ControlJob {
  let request: ControlRequest
  private weak var client: (any ControlRequester)?
  private var done: (([UInt8]?) -> Void)?

  init(
    _ request: ControlRequest, of client: any ControlRequester, _ done: @escaping ([UInt8]?) -> Void
  ) {
    self.request = request
    self.client = client
    self.done = done
  }

  /// The party that made the request; nil where its connection is closed.
  var requester: (any ControlRequester)? { client.flatMap { $0.isClosed ? nil : $0 } }

  /// Whether the request waits for an answer, and its client is gone. Notifications, which wait for none, are carried
  /// out all the same.
  var isAbandoned: Bool { request.id != nil && client?.isGone ?? true }

  /// Answers the request, unless that has been done.
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
