internal import EventLoop
internal import Host
internal import JSON
internal import Model
internal import Scenario

/// Answers clients with events in the journal of a running device.
final class JournalResponder {
  private let run: CaseRun
  private let server: ControlServer
  /// Cancels searches in the journal.
  private let cancellation: Cancellation

  init(_ run: CaseRun, _ server: ControlServer, _ cancellation: Cancellation) {
    self.run = run
    self.server = server
    self.cancellation = cancellation
  }

  /// Answers a request with events.
  ///
  /// - Parameter name: the name of the events to send; nil: all.
  /// - Throws: ``ControlError`` where the parameters are wrong.
  func answer(_ job: ControlJob, of name: JournalEventName? = nil) throws(ControlError) {
    let parameters = try JournalParameters(job.request)
    let (path, cancellation) = (run.device.journalPath, cancellation)
    // A journal may be long.
    server.work {
      Result { () throws(ControlError) in
        try JournalExcerpt(parameters, of: name, in: path, cancellation)
      }
    } then: { result in
      switch result {
      case .success(let excerpt): excerpt.answer(job, isFollowed: parameters.isFollowed)
      case .failure(let error): job.refuse(error)
      }
    }
  }
}

/// The events that a client gets at once, and its place in the journal after them.
private struct JournalExcerpt {
  private let events: [[UInt8]]
  private let follower: JournalFollower

  init(
    _ parameters: JournalParameters, of name: JournalEventName?, in path: String,
    _ cancellation: Cancellation
  ) throws(ControlError) {
    if let position = parameters.position, !JournalFollower.isBeginning(position, in: path) {
      throw ControlError(.invalidParameters, "no event begins at `position`")
    }
    let start =
      parameters.position
      ?? JournalFollower.position(
        ofLast: parameters.limit, of: name, in: path, until: { cancellation.isCancelled })
    var follower = JournalFollower(path, from: start, of: name)
    events = follower.events(atMost: parameters.limit)
    self.follower = follower
  }

  func answer(_ job: ControlJob, isFollowed: Bool) {
    job.answer { id in
      ControlAnswer.result(id) { writer in
        writer.array("events") { writer in
          for event in events { writer.raw(event) }
        }
        writer.member("position", follower.position)
      }
    }
    if isFollowed { job.requester?.follower = follower }
  }
}

/// The parameters of `journal`.
struct JournalParameters {
  /// The names of the parameters.
  enum Name: String, CaseIterable { case limit, position, follow }

  /// The position to begin at, in bytes, as an earlier answer states it; nil: at the last events.
  var position: Int?
  /// The number of events at most, 0 to 1,000.
  var limit = 100
  /// Whether later events are sent as notifications.
  var isFollowed = false

  init(_ request: ControlRequest) throws(ControlError) {
    for member in try request.members() {
      switch Name(rawValue: member.name) {
      case .position: position = try Self.number(member, in: 0...Int.max)
      case .limit: limit = try Self.number(member, in: 0...1_000)
      case .follow:
        guard let flag = member.value.bool else {
          throw ControlError("`follow` must be true or false", at: member)
        }
        isFollowed = flag
      case nil:
        throw ControlError(
          "`\(request.method)` has no parameter `\(member.name)`", at: member)
      }
    }
  }

  private static func number(
    _ member: JSONValue.Member, in range: ClosedRange<Int>
  ) throws(ControlError) -> Int {
    guard let number = member.value.int, range.contains(number) else {
      let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw ControlError(
        "`\(member.name)` must be a whole number from 0\(end)", at: member)
    }
    return number
  }
}
