/// A search for many needles at once in bytes that come in pieces (Aho and Corasick, 1975).
///
/// One table finds all: there, letters are the same in either casing, and a needle whose casing matters is compared
/// once more where it is found.
struct CanarySearch: Sendable {
  let needles: [Needle]
  /// Length of the longest needle in bytes.
  let longest: Int
  /// The class of each byte: 0 for bytes that are in no needle.
  fileprivate let classes: [UInt8]
  fileprivate let classCount: Int
  /// The next state times ``classCount``, by state and class; negative, as its complement, where needles end there.
  fileprivate let table: [Int32]
  /// The needles that end in each state.
  fileprivate let endings: [[Int]]

  init(_ needles: [Needle]) {
    self.needles = needles
    longest = needles.map(\.bytes.count).max() ?? 0
    let used = Set(needles.flatMap { $0.bytes.map(\.folded) }).sorted()
    // Capitals fold away, so one byte is left for the class of all others.
    classes = (0...255).map { byte in
      used.firstIndex(of: UInt8(byte).folded).map { UInt8($0 + 1) } ?? 0
    }
    classCount = used.count + 1
    (table, endings) = Self.build(needles, classes, classCount)
  }

  private static func build(
    _ needles: [Needle], _ classes: [UInt8], _ classCount: Int
  ) -> ([Int32], [[Int]]) {
    var next: [[Int]] = [Array(repeating: -1, count: classCount)]
    var endings: [[Int]] = [[]]
    for (number, needle) in needles.enumerated() {
      var state = 0
      for byte in needle.bytes {
        let kind = Int(classes[Int(byte)])
        if next[state][kind] < 0 {
          next[state][kind] = next.count
          next.append(Array(repeating: -1, count: classCount))
          endings.append([])
        }
        state = next[state][kind]
      }
      endings[state].append(number)
    }
    link(&next, &endings)
    let table = next.joined().map { target in
      let scaled = Int32(target * classCount)
      return endings[target].isEmpty ? scaled : ~scaled
    }
    return (table, endings)
  }

  /// Completes the tree of needles: where a needle does not go on, the search does with the longest other one under
  /// way.
  private static func link(_ next: inout [[Int]], _ endings: inout [[Int]]) {
    var fallback = Array(repeating: 0, count: next.count)
    var queue: [Int] = []
    for kind in next[0].indices {
      if next[0][kind] < 0 { next[0][kind] = 0 } else { queue.append(next[0][kind]) }
    }
    var position = 0
    while position < queue.count {
      let state = queue[position]
      position += 1
      endings[state] += endings[fallback[state]]
      for kind in next[state].indices {
        let other = next[fallback[state]][kind]
        if next[state][kind] < 0 {
          next[state][kind] = other
        } else {
          fallback[next[state][kind]] = other
          queue.append(next[state][kind])
        }
      }
    }
  }

  /// An occurrence of a needle.
  struct Hit: Hashable, Sendable {
    /// Index into ``needles``.
    var needle: Int
    /// Offset of the first byte of the needle from the beginning of all pieces.
    var offset: Int
  }

  /// All occurrences in `bytes`.
  func hits(in bytes: [UInt8]) -> [Hit] {
    var hits: [Hit] = []
    var scan = Scan(self)
    bytes.withUnsafeBytes { scan.take($0) { hits.append($0) } }
    return hits
  }
}

extension CanarySearch {
  /// A search in progress: it takes pieces, and reports hits, also of needles that lie across pieces.
  struct Scan {
    private let search: CanarySearch
    private var state = 0
    private var offset = 0
    /// The last bytes, which may be the beginning of a needle that ends in the next piece.
    private var tail: [UInt8] = []

    init(_ search: CanarySearch) { self.search = search }

    mutating func take(_ piece: UnsafeRawBufferPointer, found: (Hit) -> Void) {
      guard search.longest > 0, !piece.isEmpty else { return }
      let (search, tail, offset) = (search, tail, offset)
      search.run(piece, from: &state) { state, end in
        for number in search.endings[state / search.classCount] {
          let needle = search.needles[number]
          let start = end - needle.bytes.count
          let isExact =
            needle.ignoresCase
            || needle.bytes.indices.allSatisfy { index in
              let place = start + index
              let byte = place < 0 ? tail[tail.count + place] : piece[place]
              return byte == needle.bytes[index]
            }
          if isExact { found(Hit(needle: number, offset: offset + start)) }
        }
      }
      self.offset += piece.count
      keep(piece)
    }

    private mutating func keep(_ piece: UnsafeRawBufferPointer) {
      if piece.count >= search.longest {
        tail = Array(piece.suffix(search.longest))
      } else {
        tail = Array((tail + Array(piece)).suffix(search.longest))
      }
    }
  }

  /// Goes on from `state`, and calls `ended` with each state in which needles end, and the index behind their
  /// last byte.
  private func run(
    _ piece: UnsafeRawBufferPointer, from state: inout Int,
    ended: (_ state: Int, _ end: Int) -> Void
  ) {
    var current = state
    classes.withUnsafeBufferPointer { classes in
      table.withUnsafeBufferPointer { table in
        guard let classes = classes.baseAddress, let table = table.baseAddress,
          let bytes = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for index in 0..<piece.count {
          let target = table[current &+ Int(classes[Int(bytes[index])])]
          if target >= 0 {
            current = Int(target)
          } else {
            current = Int(~target)
            ended(current, index + 1)
          }
        }
      }
    }
    state = current
  }
}
