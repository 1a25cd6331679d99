import Model
import Testing

@testable import Lineage

/// Where data went over several devices.
@Suite struct DeviceLineageTests {
  private static func story(of device: String) -> Story {
    var story = Story()
    story.add(.deviceStarted(device: device, seed: 1))
    return story
  }

  private static func arrival(_ item: Int, from device: String, _ request: Int)
    -> JournalEvent.Kind
  {
    .itemArrived(
      item: item, by: .airDrop, device: device, request: request, type: "public.data", bytes: 7)
  }

  /// Anna's data go from the phone to the tablet and back.
  private static var journals: [[JournalEvent]] {
    var phone = story(of: "phone")
    let sent = phone.request(.airDrop, by: Story.managed("mail")) { $0.subject = "tablet" }
    var tablet = story(of: "tablet")
    tablet.add(arrival(1, from: "phone", sent))
    var back = RequestDecision.opened(2, by: Story.plain("viewer"), from: 1)
    tablet.add(.decided(back))
    tablet.add(.ended(request: 2, end: .delivered))
    back = RequestDecision.sent(3, by: Story.plain("viewer"), from: 2)
    tablet.add(.decided(back))
    tablet.add(.ended(request: 3, end: .delivered))
    phone.add(arrival(2, from: "tablet", 3))
    return [phone.events, tablet.events]
  }

  @Test func `a chain goes from device to device, whichever journal comes first`() {
    for journals in [Self.journals, Self.journals.reversed()] {
      let lineage = Lineage(ofDevices: journals)
      #expect(
        lineage.hops.map(\.label) == ["phone 1", "tablet 1", "tablet 2", "tablet 3", "phone 2"])
      #expect(lineage.hops.map { $0.sources.map(\.item) } == [[], [1], [2], [3], [4]])
      // Whose data they were is known on each device.
      #expect(lineage.hops.allSatisfy { $0.isManaged })
      #expect(lineage.roots.count == 1)
    }
  }

  @Test func `what was encrypted on its way stays so, whoever hands it on`() {
    var phone = Self.story(of: "phone")
    phone.request(.airDrop, by: Story.managed("mail"), outcome: .encrypted)
    var tablet = Self.story(of: "tablet")
    tablet.add(
      .itemArrived(
        item: 1, by: .airDrop, device: "phone", request: 1, type: "public.data", bytes: 7,
        isEncrypted: true))
    tablet.add(.decided(.sent(2, by: Story.plain("viewer"), from: 1)))
    tablet.add(.ended(request: 2, end: .delivered))
    phone.add(Self.arrival(2, from: "tablet", 2))
    let lineage = Lineage(ofDevices: [phone.events, tablet.events])
    #expect(
      lineage.hops.count == 4 && lineage.hops.allSatisfy { $0.isEncrypted && !$0.isUnmanaged })
  }

  @Test func `without the sender's journal, an item comes from outside`() {
    let lineage = Lineage(ofDevices: [Self.journals[1], Self.story(of: "other").events])
    #expect(lineage.hops.map(\.label) == ["tablet 1", "tablet 2", "tablet 3"])
    #expect(lineage.hops[0].sources.isEmpty && !lineage.hops[0].isManaged)
    #expect(Lineage(ofDevices: [Self.journals[1]]).hops.map(\.number) == [1, 2, 3])
  }

  @Test func `journals that name each other's future end all the same`() {
    var (phone, tablet) = (Self.story(of: "phone"), Self.story(of: "tablet"))
    phone.add(Self.arrival(1, from: "tablet", 2))
    phone.add(.decided(.sent(2, by: Story.plain("viewer"), from: 1)))
    phone.add(.ended(request: 2, end: .delivered))
    tablet.add(Self.arrival(1, from: "phone", 2))
    tablet.add(.decided(.sent(2, by: Story.plain("viewer"), from: 1)))
    tablet.add(.ended(request: 2, end: .delivered))
    let lineage = Lineage(ofDevices: [phone.events, tablet.events])
    #expect(lineage.hops.count == 4)
    for hop in lineage.hops { #expect(hop.sources.allSatisfy { $0.item < hop.number }) }
    let lines = lineage.text.split(separator: "\n")
    for label in lineage.hops.map(\.label) {
      #expect(lines.contains { $0.contains(label) }, "\(lineage.text)")
    }
  }
}

extension RequestDecision {
  /// An opening of an item that has come.
  fileprivate static func opened(_ number: Int, by app: Participant, from item: Int) -> Self {
    moved(number, .openReceived, nil, app, item)
  }

  /// A transfer of an item to another device.
  fileprivate static func sent(_ number: Int, by app: Participant, from item: Int) -> Self {
    moved(number, .airDrop, app, nil, item)
  }

  private static func moved(
    _ number: Int, _ operation: Operation, _ sender: Participant?, _ receiver: Participant?,
    _ item: Int
  ) -> Self {
    RequestDecision(
      request: number, operation: operation, sender: sender, receiver: receiver, owner: "",
      type: "public.data", bytes: 7, from: [item],
      verdict: ExplainedVerdict(
        outcome: .allowed, deciding: .noRuleApplied,
        reasons: [Explanation(rule: .noRuleApplied, side: .device, text: "nobody minds")],
        changes: []))
  }
}
