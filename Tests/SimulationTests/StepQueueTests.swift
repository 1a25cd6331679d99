import JSON
import Testing

@testable import Simulation

/// Steps that wait for their turn, of clients in memory.
struct StepQueueTests {
  private let queue = StepQueue()
  private let requester = MemoryRequester()

  @Test func `steps come in the order in which they were asked for`() throws {
    let jobs = try ["launch", "share", "wait"].map { try requester.job($0) }
    for job in jobs { queue.append(job) }
    #expect(queue.count == 3)
    for job in jobs { #expect(queue.next() === job) }
    #expect(queue.isEmpty)
    #expect(queue.next() == nil)
  }

  @Test func `a step is counted while it runs, whatever comes of it`() throws {
    #expect(queue.begun == 0 && !queue.isBusy)
    try queue.carryOut { number in #expect(number == 1 && queue.isBusy) }
    #expect(!queue.isBusy)
    #expect(throws: ControlError(.internal, "no")) {
      try queue.carryOut { (_) throws(ControlError) in throw ControlError(.internal, "no") }
    }
    #expect(queue.begun == 2 && !queue.isBusy)
  }

  @Test func `steps of clients that have gone are not begun`() throws {
    let other = MemoryRequester()
    for requester in [requester, other, requester] { queue.append(try requester.job()) }
    requester.isGone = true
    queue.dropAbandoned()
    #expect(queue.count == 1)
    #expect(requester.codes == [-32001, -32001])
    #expect(requester.settledCount == 2)
    #expect(other.answers.isEmpty)
  }

  @Test func `a client that goes while its step waits for its turn is told so`() throws {
    queue.append(try requester.job())
    requester.isGone = true
    #expect(queue.next() == nil)
    #expect(queue.isEmpty)
    #expect(requester.codes == [-32001])
    #expect(queue.begun == 0)
  }

  @Test func `what nobody waits for is begun all the same`() throws {
    queue.append(try requester.job(id: nil))
    requester.isGone = true
    queue.dropAbandoned()
    #expect(queue.next() != nil)
  }

  @Test func `at the end all that wait are refused, and counted`() throws {
    for _ in 0..<3 { queue.append(try requester.job()) }
    _ = queue.next()
    #expect(queue.end(ControlError(.unable, "it is late")) == 2)
    #expect(queue.isEmpty)
    #expect(requester.codes == [-32002, -32002])
    #expect(requester.answers.last??["error"]?["message"]?.string == "it is late")
  }
}
