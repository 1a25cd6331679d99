internal import Encodings
internal import EventLoop
internal import Foundation
internal import Host
internal import Model
internal import Scenario
internal import Simulation

/// Answers clients with events from a running device's journal.
final class JournalResponder {
  private let run: CaseRun
  private let server: ControlServer
  private let cancellation: Cancellation

  init(_ run: CaseRun, _ server: ControlServer, _ cancellation: Cancellation) {
    self.run = run
    self.server = server
    self.cancellation = cancellation
  }

  /// Answers a request with events.
  ///
  /// - Parameter name: The name of the events to send; nil for all events.
  /// - Throws: ``ControlError`` if the parameters are invalid.
  func answer(_ job: ControlJob, of name: JournalEventName? = nil) throws(ControlError) {
    let parameters = try JournalParameters(job.request)
    let (path, cancellation) = (run.device.journalPath, cancellation)
    // A journal may be long, so it is read on another thread.
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

/// The events that a client receives immediately, and the position in the journal after them.
private struct JournalExcerpt {
  private let events: [[UInt8]]
  private let follower: JournalFollower

  init(
    _ parameters: JournalParameters, of name: JournalEventName?, in path: String,
    _ cancellation: Cancellation
  ) throws(ControlError) {
    if let position = parameters.position, !JournalFollower.isBeginning(position, in: path) {
      throw ControlError(
        .invalidParameters,
        "`position` must be the byte offset in the journal at which an event begins")
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
        writer.array("events", of: events) { $0.raw($1) }
        writer.member("position", follower.position)
      }
    }
    if isFollowed { job.requester?.follower = follower }
  }
}

struct JournalParameters {
  enum Name: String, CaseIterable { case limit, position, follow }

  /// The position in the journal, in bytes, from which events are sent. It comes from an earlier answer. If nil, the
  /// last events are sent.
  var position: Int?
  /// The maximum number of events, from 0 to 1,000.
  var limit = 100
  /// Whether later events are also sent, as notifications.
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

// MARK: - Following

/// Reads a growing journal line by line from a position.
struct JournalFollower {
  private let path: String
  /// The name of the events to send; nil for all events.
  private let name: JournalEventName?
  /// The position of the next line, in bytes.
  private(set) var position: Int

  /// The number of bytes per read.
  private static let chunk = 64 * 1024

  /// Creates a reader.
  ///
  /// - Parameter position: The beginning of the first line to read, in bytes.
  init(_ path: String, from position: Int, of name: JournalEventName? = nil) {
    self.path = path
    self.position = position
    self.name = name
  }

  /// Returns the next lines as JSON-RPC notifications; nil if there are none yet.
  mutating func next() -> [[UInt8]]? {
    while true {
      let before = position
      let lines = events()
      // If the position has advanced without lines, all events that were read have other names.
      guard position > before else { return nil }
      guard !lines.isEmpty else { continue }
      let method = name == nil ? ControlMethod.journal : .events
      return lines.map { line in
        Array(#"{"jsonrpc":"2.0","method":"\#(method.rawValue)","params":"#.utf8) + line
          + [UInt8(ascii: "}")]
      }
    }
  }

  /// Returns the next complete lines, without line ends: at most `limit` lines, and at most about 2 MiB.
  mutating func events(atMost limit: Int) -> [[UInt8]] {
    let start = position
    var lines: [[UInt8]] = []
    while lines.count < limit, position - start < 2 << 20 {
      let before = position
      lines += events(limit: limit - lines.count)
      guard position > before else { break }
    }
    return lines
  }

  /// Returns the next complete lines, without line ends: at most `limit` lines, from the next 64 KiB. Reads more if a
  /// single line is longer.
  private mutating func events(limit: Int = .max) -> [[UInt8]] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    var size = Self.chunk
    while true {
      guard (try? file.seek(toOffset: UInt64(position))) != nil,
        let data = try? file.read(upToCount: size), !data.isEmpty
      else { return [] }
      let before = position
      let lines = append(Array(data), limit)
      // A line may be longer than the data that was read.
      if position > before || data.count < size { return lines }
      size *= 2
    }
  }

  private mutating func append(_ bytes: [UInt8], _ limit: Int) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while lines.count < limit, let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if Self.isOf(name, bytes[start..<end]) { lines.append(Array(bytes[start..<end])) }
      start = end + 1
    }
    position += start
    return lines
  }

  /// Returns whether a line is an event named `name`; true for all lines if `name` is nil. Only the beginning of the
  /// line is searched, because every event's name is there.
  private static func isOf(_ name: JournalEventName?, _ line: ArraySlice<UInt8>) -> Bool {
    guard let name else { return true }
    let head = String(decoding: line.prefix(160), as: UTF8.self)
    return head.contains(#""event":"\#(name.rawValue)""#)
  }

  /// Returns the position, in bytes, at which the last `count` lines of a journal begin.
  ///
  /// - Parameters:
  ///   - name: The name of the events to count; nil for all events.
  ///   - isOver: Returns whether the search has been cancelled.
  fileprivate static func position(
    ofLast count: Int, of name: JournalEventName? = nil, in path: String,
    until isOver: () -> Bool = { false }
  ) -> Int {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd() else {
      return 0
    }
    defer { try? file.close() }
    // The journal is read backwards in pieces. `tail` is the rest of a line that begins in an
    // earlier piece.
    var (start, tail, found) = (Int(size), [UInt8](), 0)
    var first = Int(size)
    while start > 0, found < count, !isOver() {
      let length = min(start, 1 << 20)
      guard (try? file.seek(toOffset: UInt64(start - length))) != nil,
        let piece = (try? file.read(upToCount: length)).flatMap({ $0 }), piece.count == length
      else { break }
      start -= length
      let bytes = Array(piece) + tail
      var end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
      if tail.isEmpty { first = start + (bytes.isEmpty ? 0 : end + (end > 0 ? 1 : 0)) }
      while found < count, end > 0 {
        let line = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        // The line begins in an earlier piece.
        if line == 0, start > 0 { break }
        if isOf(name, bytes[line..<end]) {
          first = start + line
          found += 1
        }
        end = line - 1
      }
      tail = Array(bytes[..<max(0, end + 1)])
    }
    return first
  }

  /// Returns whether an event begins at the position, or the journal ends there.
  fileprivate static func isBeginning(_ position: Int, in path: String) -> Bool {
    guard position > 0 else { return true }
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    guard (try? file.seek(toOffset: UInt64(position - 1))) != nil else { return false }
    return (try? file.read(upToCount: 1)) == Data([UInt8(ascii: "\n")])
  }
}
