import Testing
import Wire

/// Every message's declaration matches protobuf-c's descriptor. Types are compared too: if a
/// declaration has another type, the process traps.
@Suite struct DeclarationTests {
  private static let runs = DeclarationRecord().runs
  private static let runsOfMessages = Dictionary(grouping: runs, by: \.message)

  @Test(arguments: runsOfMessages.keys.sorted())
  func `every field of a message is declared exactly once`(message: String) throws {
    let runs = try #require(Self.runsOfMessages[message])
    for run in runs {
      #expect(Set(run.declared).count == run.declared.count)
      #expect(Set(run.declared).subtracting(run.alternatives) == run.fields)
    }
    #expect(Set(runs.flatMap(\.declared)) == runs[0].fields.union(runs[0].alternatives))
  }

  @Test func `each protobuf message that is part of another message is declared`() {
    let parts = Set(Self.runs.flatMap(\.parts.values))
    #expect(parts.subtracting(Self.runsOfMessages.keys).isEmpty)
    #expect(parts.count > 60)
  }

  @Test(arguments: ["sluice.GuestMessage", "sluice.HostMessage", "sluice.UserAct"])
  func `each encoded message declares exactly one alternative of its oneof`(message: String)
    throws
  {
    for run in try #require(Self.runsOfMessages[message]) {
      #expect(run.alternatives.intersection(run.declared).count == 1)
    }
  }

  @Test func `message samples cover every body of the protocol`() {
    let ofGuests = MessageSamples.guest.map { fieldNumber(frame(GuestMessage($0))) }
    #expect(Set(ofGuests) == Self.runsOfMessages["sluice.GuestMessage"]?[0].alternatives)
    let ofHost = MessageSamples.host.map { fieldNumber(frame(HostMessage($0))) }
    #expect(Set(ofHost) == Self.runsOfMessages["sluice.HostMessage"]?[0].alternatives)
    let ofUsers = UserActTests.acts.map { UInt32($0.encoded()[0]) >> 3 }
    #expect(Set(ofUsers) == Self.runsOfMessages["sluice.UserAct"]?[0].alternatives)
  }

  private func fieldNumber(_ frame: [UInt8]) -> UInt32 {
    let (low, high) = (UInt32(frame[4]), UInt32(frame[5]))
    return (low < 128 ? low : low & 127 | high << 7) >> 3
  }
}
