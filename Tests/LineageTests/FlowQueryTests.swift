import Model
import Testing

@testable import Lineage

/// Chains that are asked for, against a search that walks every single one.
@Suite struct FlowQueryTests {
  /// Hops that came from earlier ones at random.
  private static func story(_ seed: UInt64) -> Story {
    var random = Dice(state: seed)
    var story = Story()
    let apps = [
      Story.managed("mail"), Story.managed("notes"), Story.plain("viewer"), Story.plain("other"),
    ]
    for number in 1...30 {
      let count = number == 1 ? 0 : Int(random.next() % 3)
      let sources = (0..<count).map { _ in 1 + Int(random.next() % UInt64(number - 1)) }
      let owners = [Story.anna, "ben@fabrikam.com", ""]
      story.request(
        .share, by: apps[Int(random.next() % 4)], to: apps[Int(random.next() % 4)],
        of: owners[Int(random.next() % 3)],
        end: random.next() % 8 == 0 ? .undeliverable : .delivered
      ) { $0.from = sources }
    }
    return story
  }

  /// All chains from an item back to where each began.
  private static func chains(to hop: Hop, in known: [Int: Hop]) -> [[Hop]] {
    let sources = hop.sources.compactMap { known[$0.item] }
    guard !sources.isEmpty else { return [[hop]] }
    return sources.flatMap { chains(to: $0, in: known) }.map { $0 + [hop] }
  }

  @Test(arguments: 1...40)
  func `chains are those that a search of all finds`(seed: Int) {
    let lineage = Self.story(UInt64(seed)).lineage
    let known = lineage.byNumber
    let queries = [
      FlowQuery(), FlowQuery(owner: "ANNA"), FlowQuery(owner: "ben@fabrikam.com"),
      FlowQuery(destination: "org.example.viewer"), FlowQuery(reach: .unmanaged),
      FlowQuery(owner: Story.anna, destination: "other", reach: .unmanaged),
    ]
    for query in queries {
      var expected: Set<Int> = []
      for hop in lineage.hops where query.isMet(by: hop) {
        let all = Self.chains(to: hop, in: known)
        // Where the owner's data came along any of the chains, all that the item came from is shown.
        guard all.contains(where: { $0.contains { query.isOwner($0.owner) } }) else { continue }
        for chain in all { expected.formUnion(chain.map(\.number)) }
      }
      #expect(Set(lineage.chains(query).hops.map(\.number)) == expected, "\(query)")
    }
  }

  @Test func `nothing that was asked for is nothing`() {
    #expect(Self.story(1).lineage.chains(FlowQuery(owner: "nobody")).hops.isEmpty)
    #expect(Lineage([]).text == "no such data moved\n")
  }
}

/// Numbers that are the same in every run (SplitMix64).
private struct Dice {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
