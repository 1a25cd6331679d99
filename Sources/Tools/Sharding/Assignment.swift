/// The shard that does each piece of a run. The same pieces and times make the same assignment.
public struct Assignment: Sendable {
  /// The numbers of the pieces of each shard, from 0, those that take longest first.
  private let parts: [[Int]]

  /// Assigns each piece to the shard that has least to do so far, those that take longest first.
  ///
  /// - Parameter times: the times that pieces took before.
  public init(of pieces: [Piece], to count: Int, _ times: PieceTimes = PieceTimes()) {
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
  public func pieces(of shard: Shard) -> [Int] { parts[shard.number - 1] }
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
