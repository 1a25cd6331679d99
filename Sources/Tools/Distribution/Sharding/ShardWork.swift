package import Encodings
package import Simulation

/// The work of one shard of a run.
package struct ShardWork: Sendable {
  package let plan: Plan
  /// The numbers of the shard's pieces, the longest first.
  private let pieces: [Int]
  /// The blob for the results; nil if none is written.
  private let blob: BlobWriter?

  /// Selects the pieces of a shard and starts its blob.
  ///
  /// - Parameters:
  ///   - times: Previous durations of pieces. All shards need the same ones.
  ///   - path: The blob's file; nil to write none.
  /// - Throws: ``RunError`` if the blob cannot be written.
  package init(
    _ plan: Plan, _ shard: Shard = .whole, _ times: PieceTimes = PieceTimes(), blob path: String?
  ) throws(RunError) {
    self.plan = plan
    pieces = Assignment(of: plan.pieces, to: shard.count, times).pieces(of: shard)
    if let path {
      blob = try BlobWriter(to: path, plan, shard, pieces: pieces)
    } else {
      blob = nil
    }
  }

  /// Executes the pieces of the shard.
  ///
  /// - Parameters:
  ///   - pool: The threads that do the work. A single thread follows the plan's order.
  ///   - isOver: Whether to stop, asked before each piece. By default, all pieces are executed.
  ///   - body: Executes the piece with a number, from 0.
  /// - Returns: The outcome of each piece of the plan; nil for other shards' pieces, and for pieces after a stop.
  /// - Throws: ``RunError`` if `body` throws or the blob cannot be written.
  package func perform<Outcome: Mergeable>(
    by pool: ThreadPool, until isOver: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable (_ number: Int) throws(RunError) -> Outcome
  ) throws(RunError) -> [Outcome?] {
    let order = pool.size == 1 ? pieces.sorted() : pieces
    let outcomes = try pool.perform(order) { [blob] _, number throws(RunError) -> Outcome? in
      guard !isOver() else { return nil }
      let outcome = try body(number)
      try blob?.add(piece: number, events: outcome.events, outcome.writeMembers)
      return outcome
    }
    var all = [Outcome?](repeating: nil, count: plan.pieces.count)
    for (number, outcome) in zip(order, outcomes) { all[number] = outcome }
    return all
  }

  /// Completes the blob, if there is one.
  ///
  /// - Parameter texts: The texts of files that the results refer to, by path.
  /// - Throws: ``RunError`` if the blob cannot be completed.
  package func end(_ texts: [String: String]) throws(RunError) {
    guard let blob else { return }
    for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
      try blob.add(text: text, of: file)
    }
    try blob.end()
  }
}

// MARK: - Shards

/// A part of a run, such as `2/4`.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of shards of a run.
  package static let most = 10_000

  /// The shard's number, from 1.
  package let number: Int
  /// The number of shards, at least ``number``.
  package let count: Int

  /// The single shard of a run that is not split.
  package static let whole = Shard(unchecked: 1, of: 1)

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Creates a shard; nil unless it is one of `1/count` to `count/count` and `count` is at most ``most``.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.most ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Reads `number/count`; nil if that is not a valid shard.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  package var description: String { "\(number)/\(count)" }
}

// MARK: - Piece assignment

/// The assignment of a run's pieces to shards. It depends only on the pieces and times.
package struct Assignment: Sendable {
  /// The piece numbers of each shard, from 0, the longest first.
  private let parts: [[Int]]

  /// Assigns each piece, the longest first, to the shard with the least work so far.
  ///
  /// - Parameter times: Previous durations of pieces.
  package init(of pieces: [Piece], to count: Int, _ times: PieceTimes = PieceTimes()) {
    let weights = times.weights(of: pieces)
    var parts = [[Int]](repeating: [], count: count)
    var loads = Loads(count)
    for number in pieces.indices.sorted(by: { (weights[$1], $0) < (weights[$0], $1) }) {
      parts[loads.add(weights[number])].append(number)
    }
    self.parts = parts
  }

  /// Returns the piece numbers of a shard, from 0, in the order of their start.
  ///
  /// - Precondition: The shard is one of those that pieces are assigned to.
  package func pieces(of shard: Shard) -> [Int] { parts[shard.number - 1] }
}

/// The loads of shards, as a binary heap with the lightest at its root.
private struct Loads {
  private var heap: [(weight: Int, shard: Int)]

  init(_ count: Int) { heap = (0..<count).map { (0, $0) } }

  /// Adds to the lightest load; the first one if several are equal.
  ///
  /// - Returns: The number of its shard, from 0.
  mutating func add(_ weight: Int) -> Int {
    let shard = heap[0].shard
    heap[0].weight += max(weight, 1)
    var place = 0
    while let least = lightest(below: place), heap[least] < heap[place] {
      heap.swapAt(place, least)
      place = least
    }
    return shard
  }

  private func lightest(below place: Int) -> Int? {
    let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
    return children.min { heap[$0] < heap[$1] }
  }
}

// MARK: - Piece durations

/// The durations of pieces in earlier runs, as reports state them.
package struct PieceTimes: Sendable {
  /// Milliseconds by file and name. Pieces with the same file and name have one entry each, in order.
  private var known: [Key: [Int]] = [:]

  private struct Key: Hashable {
    var file: String
    var name: String
  }

  package init() {}

  /// Reads the durations that `--output durations=FILE` wrote, or those in a criteria certificate, from JSON.
  ///
  /// Returns nil if the value is neither or has no durations.
  package init?(report: JSONValue) {
    for test in report["durations"]?.array ?? [] { add(test["file"], test["name"], test) }
    for check in (report["criteria"]?.array ?? []).flatMap({ $0["checks"]?.array ?? [] }) {
      add(check["file"], check["title"], check)
    }
    guard !known.isEmpty else { return nil }
  }

  private mutating func add(_ file: JSONValue?, _ name: JSONValue?, _ piece: JSONValue) {
    guard let name = name?.string, let time = piece["milliseconds"]?.count else { return }
    known[Key(file: file?.string ?? "", name: name), default: []].append(time)
  }

  /// Returns each piece's weight: its known duration in milliseconds, or an estimate from its number of
  /// steps.
  fileprivate func weights(of pieces: [Piece]) -> [Int] {
    var left = known
    let times = pieces.map { piece -> Int? in
      let key = Key(file: piece.file, name: piece.name)
      guard left[key]?.isEmpty == false else { return nil }
      return left[key]?.removeFirst()
    }
    let timed = zip(pieces, times).filter { $1 != nil }
    let steps = timed.reduce(0) { $0 + Double($1.0.steps) }
    let total = timed.reduce(0) { $0 + Double($1.1 ?? 0) }
    return zip(pieces, times).map { piece, time in
      time ?? (steps == 0 ? piece.steps : max(Int(Double(piece.steps) * total / steps), 1))
    }
  }
}
