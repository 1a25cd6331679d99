/// The conformance of types to each other, closed over all steps.
struct TypeGraph: Sendable {
  /// For each type the indices of the types that it states itself.
  private(set) var parents: [[Int]] = []
  /// For each type a row of bits, one for each type that it conforms to, including itself.
  private var bits: [UInt64] = []
  private var rowWidth = 0
  /// The number of statements that were followed to close the graph.
  private(set) var steps = 0

  /// - Parameter parents: for each type the indices of the types that it states; cycles are harmless.
  init(parents: [[Int]]) {
    self.parents = parents
    rowWidth = (parents.count + 63) / 64
    bits = Array(repeating: 0, count: rowWidth * parents.count)
    var isClosed = Array(repeating: false, count: parents.count)
    for type in Self.order(parents) {
      close(type, isClosed)
      isClosed[type] = true
    }
  }

  /// All types, each after those that it conforms to but for cycles.
  private static func order(_ parents: [[Int]]) -> [Int] {
    var order: [Int] = []
    var isFound = Array(repeating: false, count: parents.count)
    for root in parents.indices where !isFound[root] {
      isFound[root] = true
      var path = [(type: root, next: 0)]
      while let (type, next) = path.last {
        guard next < parents[type].count else {
          order.append(type)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let parent = parents[type][next]
        if !isFound[parent] {
          isFound[parent] = true
          path.append((parent, 0))
        }
      }
    }
    return order
  }

  /// Fills the row of a type: the rows of closed types are taken over whole.
  private mutating func close(_ type: Int, _ isClosed: [Bool]) {
    insert(type, into: type)
    var open = [type]
    while let next = open.popLast() {
      for parent in parents[next] {
        steps += 1
        guard !conforms(type, to: parent) else { continue }
        guard isClosed[parent] else {
          insert(parent, into: type)
          open.append(parent)
          continue
        }
        for word in 0..<rowWidth {
          bits[type * rowWidth + word] |= bits[parent * rowWidth + word]
        }
      }
    }
  }

  private mutating func insert(_ ancestor: Int, into type: Int) {
    bits[type * rowWidth + ancestor >> 6] |= 1 << UInt64(ancestor & 63)
  }

  func conforms(_ type: Int, to other: Int) -> Bool {
    bits[type * rowWidth + other >> 6] & (1 << UInt64(other & 63)) != 0
  }

  /// `type` and all types that it conforms to, nearest first.
  func ancestors(of type: Int) -> [Int] {
    var found = [type]
    var seen: Set = [type]
    var next = 0
    while next < found.count {
      for parent in parents[found[next]] where seen.insert(parent).inserted {
        found.append(parent)
      }
      next += 1
    }
    return found
  }
}
