import Analysis
import Policy
import Testing

@Suite struct ChangedFlowsTests {
  /// Two policies, and how many of their flows differ, by unit.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: @Sendable (inout Settings) -> Void = { _ in }
    var new: @Sendable (inout Settings) -> Void
    var counts: [ChangedFlows.Unit: Int]
  }

  @Test(arguments: [
    Change(
      testDescription: "an access requirement", new: { $0.minimumPinLength = 6 },
      counts: [.kind: 0, .flow: 0, .answer: 0]),
    Change(
      testDescription: "print", new: { $0.printBlocked = true },
      counts: [.kind: 1, .flow: 1, .answer: 1]),
    Change(
      testDescription: "channels with the same cause count as separate flows",
      new: { $0.allowedOutboundDataTransferDestinations = .managedApps },
      counts: [.kind: 30, .flow: 48, .answer: 48]),
    Change(
      testDescription: "requests outside the tables count as kinds", old: Samples.common,
      new: Samples.revised, counts: [.kind: 9, .flow: 6, .answer: 6]),
    Change(
      testDescription: "a flow has two answers on two kinds of devices",
      old: { $0.allowedInboundDataTransferSources = .managedApps },
      new: { $0.protectInboundDataFromUnknownSources = true },
      counts: [.kind: 12, .flow: 21, .answer: 22]),
  ])
  func `comparisons count changed kinds, tables changed flows, and matrices changed answers`(
    change: Change
  ) {
    let (old, new) = (Samples.document("old", change.old), Samples.document("new", change.new))
    let comparison = PolicyComparison(old, new)
    let tables = FlowMatrixComparison(old, new)
    let counts = [comparison.changed, PolicyTable([old, new]).changed, tables.changed]
    #expect(counts.map(\.unit) == ChangedFlows.Unit.allCases)
    for changed in counts { #expect(changed.count == change.counts[changed.unit], "\(changed)") }
    #expect(comparison.flows.count == comparison.changed.count)
    #expect(tables.differences.count == tables.changed.count)
    // Without a difference, no unit counts one.
    #expect(PolicyTable([old, old]).changed.count == 0)
    #expect(FlowMatrixComparison(new, new).changed.count == 0)
  }

  @Test func `each report counts its changes in kinds of flows, flows or answers`() {
    let old = Samples.document("old")
    let print = Samples.document("print") { $0.printBlocked = true }
    let texts = { (old, new) in
      [
        PolicyComparison(old, new).changed, PolicyTable([old, new]).changed,
        FlowMatrixComparison(old, new).changed,
      ].map(\.text)
    }
    #expect(texts(old, print) == ["1 kind of flows", "1 flow", "1 answer"])
    #expect(texts(old, old) == ["0 kinds of flows", "0 flows", "0 answers"])
  }
}
