package import JSON
package import Simulation

/// The work of one shard of a run.
package struct ShardWork: Sendable {
  package let plan: Plan
  /// The numbers of the shard's pieces, those that take longest first.
  private let pieces: [Int]
  /// The blob that the results come into; nil: none.
  private let blob: BlobWriter?

  /// Picks the pieces of a shard, and begins its blob.
  ///
  /// - Parameters:
  ///   - times: the times that pieces took before. All shards need the same.
  ///   - path: the file of the blob; nil: none.
  /// - Throws: ``RunError`` where the blob cannot be written.
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

  /// Does all pieces of the shard.
  ///
  /// - Parameters:
  ///   - crew: who does them. One alone does them in the order of the plan.
  ///   - body: does the piece with a number, from 0.
  /// - Returns: the outcome of each piece of the plan; nil where it is another shard's.
  /// - Throws: ``RunError`` where `body` throws, or the blob takes no more.
  package func perform<Outcome: Mergeable>(
    by crew: Crew, _ body: @escaping @Sendable (_ number: Int) throws(RunError) -> Outcome
  ) throws(RunError) -> [Outcome?] {
    let order = crew.size == 1 ? pieces.sorted() : pieces
    let outcomes = try crew.perform(order) { [blob] _, number throws(RunError) in
      let outcome = try body(number)
      try blob?.add(piece: number, events: outcome.events, outcome.writeMembers)
      return outcome
    }
    var all = [Outcome?](repeating: nil, count: plan.pieces.count)
    for (number, outcome) in zip(order, outcomes) { all[number] = outcome }
    return all
  }

  /// Ends the blob, where there is one.
  ///
  /// - Parameter texts: the texts of files that the results name, by path.
  /// - Throws: ``RunError`` where the blob cannot be completed.
  package func end(_ texts: [String: String]) throws(RunError) {
    guard let blob else { return }
    for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
      try blob.add(text: text, of: file)
    }
    try blob.end()
  }
}

// MARK: - Shards

/// One of the parts that a run is split into, such as `2/4`.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
  /// The most parts of a run.
  package static let most = 10_000

  /// The number of the part, from 1.
  package let number: Int
  /// The number of parts, at least ``number``.
  package let count: Int

  /// The only part of a run that is not split.
  package static let whole = Shard(unchecked: 1, of: 1)

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// A part; nil where it is none of `1/count` to `count/count`, or `count` is more than ``most``.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.most ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Reads `number/count`; nil where that is no part.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  package var description: String { "\(number)/\(count)" }
}

// MARK: - Assignment of pieces

/// The shard that does each piece of a run. The same pieces and times make the same assignment.
package struct Assignment: Sendable {
  /// The numbers of the pieces of each shard, from 0, those that take longest first.
  private let parts: [[Int]]

  /// Assigns each piece to the shard that has least to do so far, those that take longest first.
  ///
  /// - Parameter times: the times that pieces took before.
  package init(of pieces: [Piece], to count: Int, _ times: PieceTimes = PieceTimes()) {
    let weights = times.weights(of: pieces)
    var parts = [[Int]](repeating: [], count: count)
    var loads = Loads(count)
    for number in pieces.indices.sorted(by: { (weights[$1], $0) < (weights[$0], $1) }) {
      parts[loads.add(weights[number])].append(number)
    }
    self.parts = parts
  }

  /// The numbers of the pieces of a shard, from 0, in the order in which they begin.
  ///
  /// - Precondition: The shard is one of those that pieces are assigned to.
  package func pieces(of shard: Shard) -> [Int] { parts[shard.number - 1] }
}

/// The weights that each of several shards has, as a binary heap with the lightest at its root.
private struct Loads {
  private var heap: [(weight: Int, shard: Int)]

  init(_ count: Int) { heap = (0..<count).map { (0, $0) } }

  /// Adds to the lightest load, the first of several.
  ///
  /// - Returns: the number of its shard, from 0.
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

// MARK: - Times of pieces

/// The times that pieces took, as reports tell them.
package struct PieceTimes: Sendable {
  /// Milliseconds by file and name; of pieces that have both in common, one after the other.
  private var known: [Key: [Int]] = [:]

  private struct Key: Hashable {
    var file: String
    var name: String
  }

  /// No times.
  package init() {}

  /// The times that `--output durations=FILE` wrote, or a certificate of criteria has, as JSON.
  ///
  /// nil where it is neither, or tells no time.
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

  /// The weight of each piece: the milliseconds that it took, or those that its steps let expect.
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
