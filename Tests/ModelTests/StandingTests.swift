import Encodings
import Model
import Testing

/// Tests how well a rule, a reason and a verdict are supported.
@Suite struct StandingTests {
  @Test(arguments: [
    (Standing(.documented, observations: 3), "documented, observed 3×"),
    (Standing(.documented), "documented"),
    (Standing(.reported, observations: 1), "reported, observed 1×"),
    (Standing(.assumed), "assumed"), (Standing(.device), "device"),
  ])
  func `the text of a standing states its level and number of observations`(
    standing: Standing, text: String
  ) {
    #expect(standing.text == text)
  }

  @Test(arguments: [
    (Standing(.contested, observations: 2), []), (Standing(.assumed), []),
    (Standing(.reported, observations: 2), [Standing.Minimum.reported]),
    (Standing(.maintainer, observations: 1), [.reported, .maintainer]),
    (Standing(.documented), [.reported, .maintainer, .documented]),
    (Standing(.documented, observations: 1), Standing.Minimum.allCases),
    (Standing(.device), Standing.Minimum.allCases),
  ])
  func `a standing meets every minimum up to its own level`(
    standing: Standing, met: [Standing.Minimum]
  ) {
    #expect(Standing.Minimum.allCases.filter(standing.meets) == met)
  }

  @Test(arguments: [
    (RuleSource.assumed("files"), Standing.Level.assumed), (.issue(672), .reported),
    (.device, .device), (.setting("PIN for access"), .documented), (.overview, .documented),
  ])
  func `a rule without statements has the standing of its source`(
    source: RuleSource, level: Standing.Level
  ) {
    #expect(Standing(source) == Standing(level))
  }

  @Test func `evidence statements change the standing of a rule`() {
    #expect(Rule.printingBlocked.standing == Standing(.documented))
    #expect(Rule.otherTenant.standing == Standing(.assumed))
    #expect(Rule.unenrolledSDKReceiver.standing.level == .reported)
    #expect(Rule.unenrolledSDKReceiver.standing.observations > 0)
  }

  private static func verdict(
    _ reasons: [(Rule, Side, Bool)], _ outcome: Outcome
  ) -> ExplainedVerdict {
    ExplainedVerdict(
      outcome: outcome, deciding: reasons[0].0,
      reasons: reasons.map { Explanation(rule: $0, side: $1, text: "why", isAssumed: $2) },
      changes: [])
  }

  @Test func `a verdict that applies a documented rule by assumption has the standing assumed`() {
    let verdict = Self.verdict([(.printingBlocked, .sender, true)], .blocked)
    #expect(verdict.standing == Standing(.assumed))
    #expect(verdict.reasons[0].remark(isDeciding: true) == " (assumed)")
  }

  @Test func `a verdict's text states the standing of deciding and assumed reasons only`() {
    let verdict = Self.verdict(
      [
        (.clipboardBlocked, .sender, false), (.otherTenant, .sender, true),
        (.unmanagedReceiver, .receiver, false),
      ], .blocked)
    let remarks = verdict.reasons.indices.map {
      verdict.reasons[$0].remark(isDeciding: $0 == verdict.decidingIndex)
    }
    #expect(remarks == [" (documented)", " (assumed)", ""])
  }

  @Test
  func `for an allowance, reasons of all sides are decisive; for a block, the deciding side's`() {
    let blocked = Self.verdict(
      [
        (.sendNone, .sender, false), (.otherTenant, .sender, true),
        (.receiveNone, .receiver, false), (.unmanagedReceiver, .receiver, false),
      ], .blocked)
    #expect(blocked.decisiveReasons.map(\.rule) == [.sendNone, .otherTenant])
    let allowed = Self.verdict(
      [(.sendManagedAppsToManaged, .sender, false), (.sameTenant, .receiver, true)], .allowed)
    #expect(allowed.decisiveReasons.map(\.rule) == [.sendManagedAppsToManaged, .sameTenant])
  }

  @Test func `a verdict's standing is in reports but not in journals`() throws {
    let verdict = Self.verdict([(.unenrolledSDKReceiver, .receiver, false)], .encrypted)
    let report = try JSONReader.read(JSONWriter.line { verdict.write(to: &$0) })
    #expect(report["standing"]?.string == "reported")
    #expect(report["observations"]?.int == verdict.standing.observations)
    #expect(report["decidedBy"]?.string == "unenrolledSDKReceiver")
    let event = JSONWriter.objectText { writer in
      RequestDecision(request: 1, operation: .share, verdict: verdict).writeMembers(to: &writer)
    }
    let recorded = try #require(try JSONReader.read(event)["verdict"])
    #expect(recorded["decidedBy"]?.string == "unenrolledSDKReceiver")
    #expect(recorded["standing"] == nil)
  }
}
