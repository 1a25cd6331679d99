import TestSupport

extension SeededGenerator {
  /// True once in `count` draws.
  mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
