import Model
import Policy
import Testing

/// The transfers of the SDK guide's stage 5: Send and Receive are both "Policy managed apps".
struct TransferCriteriaTests {
  static let policy = Fixtures.policy {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.allowedInboundDataTransferSources = .managedApps
  }

  @Test(
    arguments: [
      ("SEND-1", true, false, Outcome.blocked), ("SEND-2", true, true, .allowed),
      ("SEND-3", false, true, .blocked), ("SEND-4", false, false, .allowed),
    ], [Channel.share, .openIn, .import, .extensionResult])
  func `managed data meets managed identities only`(
    row: (id: String, isFromManaged: Bool, isToManaged: Bool, outcome: Outcome), channel: Channel
  ) {
    func end(_ bundleID: String, _ isManaged: Bool) -> Party {
      isManaged
        ? Fixtures.party(bundleID, Fixtures.anna, Self.policy)
        : Fixtures.party(bundleID, Fixtures.personal)
    }
    let request = Fixtures.request(
      channel, from: end("app", row.isFromManaged), to: end("peer", row.isToManaged))
    #expect(evaluate(request).outcome == row.outcome, "\(row.id)")
  }
}
