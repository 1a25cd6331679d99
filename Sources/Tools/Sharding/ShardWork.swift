public import Simulation

/// The work of one shard of a run.
public struct ShardWork: Sendable {
  public let plan: Plan
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
  public init(
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
  public func end(_ texts: [String: String]) throws(RunError) {
    guard let blob else { return }
    for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
      try blob.add(text: text, of: file)
    }
    try blob.end()
  }
}
