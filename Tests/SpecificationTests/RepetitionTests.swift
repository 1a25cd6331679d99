import Testing

@testable import Specification

struct RepetitionTests {
  /// A number that counts its comparisons.
  private struct Counted: Hashable {
    final class Counter { var comparisons = 0 }

    let number: Int
    let counter: Counter

    static func == (left: Counted, right: Counted) -> Bool {
      left.counter.comparisons += 1
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test
  func `finding the first duplicate of configuration values takes a linear number of comparisons`()
  {
    let comparisons = { (count: Int) in
      let counter = Counted.Counter()
      let numbers = (0..<count).map { Counted(number: $0, counter: counter) }
      #expect(numbers.firstRepetition == nil)
      #expect((numbers + [numbers[3]]).firstRepetition == count)
      return counter.comparisons
    }
    // The numbers collide, and every number occurs twice. Comparing all pairs would take 8 million
    // comparisons.
    #expect(comparisons(4_000) < 20 * 4_000)
  }

  @Test(
    arguments: [
      (.integer(1), .real(1), true), (.integer(1), .boolean(true), false),
      (.integer(Int.max), .real(9.3e18), false), (.real(0.5), .real(0.5), true),
      (.array([.init(.null)]), .array([.init(.null)]), true), (.string("1"), .integer(1), false),
    ] as [(ConfigurationValue.Kind, ConfigurationValue.Kind, Bool)])
  func `configuration values such as 1 and 1.0 are equal, and 1 and true differ`(
    one: ConfigurationValue.Kind, other: ConfigurationValue.Kind, areSame: Bool
  ) {
    let values = [ConfigurationValue(one), ConfigurationValue(other)]
    #expect((values[0] == values[1]) == areSame)
    #expect((values.firstRepetition == 1) == areSame)
  }

  @Test func `configuration dictionaries are equal in any order of keys`() {
    let entry = { (key: String, number: Int) in
      ConfigurationValue.Entry(key: key, value: ConfigurationValue(.integer(number)))
    }
    let one = ConfigurationValue(.dictionary([entry("a", 1), entry("b", 2)]))
    let other = ConfigurationValue(.dictionary([entry("b", 2), entry("a", 1)]))
    #expect([one, other].firstRepetition == 1)
  }
}
