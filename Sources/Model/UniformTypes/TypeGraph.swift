/// The conformance of types to each other, closed over all steps.
struct TypeGraph: Sendable {
  /// For each type the indices of the types that it states itself.
  private(set) var parents: [[Int]] = []
  /// For each type a row of bits, one for each type that it conforms to, including itself.
  private var bits: [UInt64] = []
  private var rowWidth = 0

  /// - Parameter parents: for each type the indices of the types that it states; cycles are harmless.
  init(parents: [[Int]]) {
    self.parents = parents
    rowWidth = (parents.count + 63) / 64
    bits = Array(repeating: 0, count: rowWidth * parents.count)
    for type in parents.indices {
      for ancestor in ancestors(of: type) {
        bits[type * rowWidth + ancestor >> 6] |= 1 << UInt64(ancestor & 63)
      }
    }
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
