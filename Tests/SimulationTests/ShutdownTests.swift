import JSON
import Testing

@testable import Simulation

/// A run that counts how it is told to end.
private final class MemoryRun: Interruptible {
  var runningGuests = ["mail", "notes"]
  private(set) var interrupted = 0
  private(set) var killed = 0

  func interrupt() { interrupted += 1 }
  func killAll() { killed += 1 }
}

/// How a device goes down that clients and signals tell to, without a device.
struct ShutdownTests {
  private let run = MemoryRun()
  private let requester = MemoryRequester()

  @Test func `the guests are those that ran when it began`() {
    let shutdown = Shutdown(run)
    #expect(!shutdown.hasBegun && shutdown.guests.isEmpty)
    shutdown.begin()
    run.runningGuests = []
    shutdown.begin()
    #expect(shutdown.hasBegun)
    #expect(shutdown.guests == ["mail", "notes"])
  }

  @Test func `a second signal kills all guests at once, a second client does not`() throws {
    let shutdown = Shutdown(run)
    shutdown.begin(for: try requester.job("down"))
    shutdown.begin(for: try requester.job("down"))
    #expect(run.interrupted == 1 && run.killed == 0)
    shutdown.begin()
    #expect(run.interrupted == 2 && run.killed == 1)
  }

  @Test func `nothing is taken any more once it has begun`() throws {
    let shutdown = Shutdown(run)
    try shutdown.checkNotBegun()
    shutdown.begin()
    #expect(throws: ControlError(.ending, "the device goes down")) {
      try shutdown.checkNotBegun()
    }
  }

  @Test func `all who asked hear what became of the device, when it is down`() throws {
    let shutdown = Shutdown(run)
    let other = MemoryRequester()
    for requester in [requester, other] { shutdown.begin(for: try requester.job("down")) }
    #expect(requester.answers.isEmpty)
    shutdown.answer(
      DownReport(device: "iPhone", guests: shutdown.guests, killed: ["notes"], dropped: 2))
    for requester in [requester, other] {
      let result = try #require(requester.answers.first??["result"])
      #expect(result["down"]?.bool == true)
      #expect(result["guests"]?.array?.map(\.string) == ["mail", "notes"])
      #expect(result["killed"]?.array?.map(\.string) == ["notes"])
      #expect(result["dropped"]?.int == 2)
    }
  }
}
