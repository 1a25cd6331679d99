import Model
import TestSupport
import Testing

@testable import Lineage

/// Chains that are asked for, against a search that walks every single one.
@Suite struct FlowQueryTests {
  /// Hops that came from earlier ones at random.
  private static func story(_ seed: UInt64) -> Story {
    var random = SeededGenerator(seed: seed)
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

  @Test(
    arguments: [
      (FlowQuery(), nil), (FlowQuery(owner: "anna", destination: "fleet"), nil),
      (FlowQuery(destination: "print"), nil), (FlowQuery(destination: "oneDriveForBusiness"), nil),
      (FlowQuery(destination: "feet"), "called `feet`; did you mean `fleet`?"),
      (FlowQuery(destination: "fleet-"), "called `fleet-`; did you mean `fleet`?"),
      (FlowQuery(owner: "ana"), "called `ana`; did you mean `anna`?"),
    ] as [(FlowQuery, String?)])
  func `a name that stands nowhere is probably misspelt`(query: FlowQuery, objection: String?) {
    var story = Story()
    var fleet = Story.managed("fleet")
    fleet.guest = "fleet-2"
    story.request(.share, by: Story.managed("mail"), to: fleet)
    let found = story.lineage.objection(to: query)
    #expect(objection.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "none")")
    #expect(story.lineage.chains(FlowQuery(destination: "fleet")).hops.count == 1)
  }

  @Test func `an account that was renamed is one, by either name`() {
    var story = Story()
    let (mail, notes) = (Story.managed("mail"), Story.managed("notes"))
    let before = story.request(.share, by: mail, to: notes)
    story.add(.accountRenamed(account: Story.anna, to: "anna.smith@contoso.com"))
    let after = story.request(.share, by: notes, to: mail, of: "anna.smith@contoso.com")
    for owner in [Story.anna, "anna", "anna.smith@contoso.com", "ANNA.SMITH"] {
      #expect(
        story.lineage.chains(FlowQuery(owner: owner)).hops.map(\.number) == [before, after],
        "\(owner)")
      #expect(story.lineage.objection(to: FlowQuery(owner: owner)) == nil)
    }
  }

  @Test func `a name that somebody had, and somebody else has, is both`() {
    var story = Story()
    let (mail, notes) = (Story.managed("mail"), Story.managed("notes"))
    let hers = story.request(.share, by: mail, to: notes)
    story.add(.accountRenamed(account: Story.anna, to: "smith@contoso.com"))
    let other = story.request(.share, by: notes, to: mail, of: "anna@fabrikam.com")
    #expect(
      story.lineage.chains(FlowQuery(owner: "anna")).hops.map(\.number) == [hers, other])
  }

  @Test func `an account without data is no mistake, and a place is named as it is shown`() {
    var story = Story()
    story.add(.accountSignedIn(app: "mail", account: "carl@fabrikam.com", isManaged: false))
    story.request(.share, by: Story.managed("mail"), to: Story.managed("notes"))
    #expect(story.lineage.objection(to: FlowQuery(owner: "carl")) == nil)
    #expect(story.lineage.objection(to: FlowQuery(owner: "karl")) != nil)
    let place = Holder.outside("box", account: "carl@fabrikam.com")
    #expect(place.isNamed("box") && place.isNamed("box of carl@fabrikam.com"))
    #expect(!place.isNamed("box of anna@contoso.com"))
  }
}
