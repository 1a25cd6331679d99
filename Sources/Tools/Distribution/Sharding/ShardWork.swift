package import Encodings
package import Simulation

package struct ShardWork: Sendable {
  package let plan: Plan
  /// The indices of the shard's pieces in the plan, from the longest expected duration to the shortest.
  private let pieces: [Int]
  /// The blob for the results; nil if none is written.
  private let blob: BlobWriter?

  /// Selects a shard's pieces, and starts its blob.
  ///
  /// - Parameters:
  ///   - times: The pieces' durations in earlier runs. All shards need the same durations, because these determine
  ///     which shard executes a piece.
  ///   - path: The path of the blob; nil to write none.
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

  /// Executes the shard's pieces, and writes their results to the blob.
  ///
  /// - Parameters:
  ///   - pool: The threads that execute pieces. A single thread executes them in the plan's order.
  ///   - isOver: Returns whether to stop; called before each piece. By default, all pieces are executed.
  ///   - body: Executes the piece with the given index in the plan.
  /// - Returns: The outcome of each piece of the plan; nil for a piece of another shard, and for a piece after the
  ///   stop.
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
  /// - Parameter texts: The texts of files to which results refer, keyed by path.
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
  /// The maximum number of shards in a run.
  package static let most = 10_000

  /// The shard's number, from 1.
  package let number: Int
  /// The number of shards, at least ``number``.
  package let count: Int

  /// The single shard of a run that is not divided.
  package static let whole = Shard(unchecked: 1, of: 1)

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Creates a shard. Returns nil if `number` is not from 1 to `count`, or `count` exceeds ``most``.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.most ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Reads a shard as `number/count`. Returns nil if the text is not a valid shard.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  package var description: String { "\(number)/\(count)" }
}

// MARK: - Piece assignment

/// The assignment of a run's pieces to shards. It depends only on the pieces and their earlier
/// durations.
package struct Assignment: Sendable {
  /// For each shard, the indices of its pieces, from the longest expected duration to the shortest.
  private let parts: [[Int]]

  /// Assigns the pieces, the longest first, each to the shard with the least assigned work.
  package init(of pieces: [Piece], to count: Int, _ times: PieceTimes = PieceTimes()) {
    let weights = times.weights(of: pieces)
    var parts = [[Int]](repeating: [], count: count)
    var loads = Loads(count)
    for number in pieces.indices.sorted(by: { (weights[$1], $0) < (weights[$0], $1) }) {
      parts[loads.add(weights[number])].append(number)
    }
    self.parts = parts
  }

  /// Returns the indices of a shard's pieces, in the order of their start.
  ///
  /// - Precondition: The shard's number is at most the number of shards in this assignment.
  package func pieces(of shard: Shard) -> [Int] { parts[shard.number - 1] }
}

/// The total weight of each shard's pieces, as a binary heap with the least weight at its root.
private struct Loads {
  private var heap: [(weight: Int, shard: Int)]

  init(_ count: Int) { heap = (0..<count).map { (0, $0) } }

  /// Adds a piece's weight to the shard with the least total weight; among equals, to the first.
  ///
  /// - Returns: The shard's index, from 0.
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

/// The durations of pieces in earlier runs, as stated in reports.
package struct PieceTimes: Sendable {
  /// The durations in milliseconds, keyed by file and name. If several pieces have the same file and name, the key has
  /// a duration for each, in the order of the reports.
  private var known: [Key: [Int]] = [:]

  private struct Key: Hashable {
    var file: String
    var name: String
  }

  package init() {}

  /// Reads durations from JSON: the output of `--output durations=FILE`, or a criteria certificate.
  ///
  /// Returns nil if the value is neither or contains no durations.
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

  /// Returns each piece's weight: its known duration in milliseconds, or else an estimate from its
  /// number of steps.
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
