import Model
import Policy
import TestSupport
import Testing

@testable import Host

/// What a journal's last run has left open.
@Suite struct OpenRequestTests {
  private static func decision(_ request: Int) -> JournalEvent.Kind {
    .decided(
      RequestDecision(
        request: request, operation: .signOut,
        verdict: Explainer.explain(Verdict([Reason(.signOutAlwaysAllowed, .device)]))))
  }

  private static let started = JournalEvent.Kind.deviceStarted(device: "d", seed: 1)

  @Test(
    arguments: [
      ([], []), ([started], []), ([started, decision(1)], [1]),
      ([started, decision(1), .ended(request: 1, end: .delivered)], []),
      (
        [started, decision(1), decision(2), decision(3), .ended(request: 2, end: .failed)],
        [1, 3]
      ),
      // Another run has ended it, or has been given no end by an earlier version.
      ([started, decision(1), started, .ended(request: 1, end: .failed)], []),
      ([started, decision(1), started, decision(2)], [2]),
      ([started, decision(1), .deviceStopped], []),
      ([started, decision(1), .deviceStopped, .caseEnded], []),
    ] as [([JournalEvent.Kind], [Int])])
  func `a request that was decided in the last run, and has no end, is open`(
    events: [JournalEvent.Kind], open: [Int]
  ) throws {
    let folder = try Workspace()
    let path = folder.path("journal.jsonl")
    let journal = try Journal(path: path, isSynchronized: false)
    for event in events { journal.append(event, time: 5) }
    try journal.flush()
    journal.close()
    let next = try Journal(path: path, isSynchronized: false)
    #expect(next.openRequests.map(\.request) == open)
    next.close()
  }
}
