import Distribution
import EventLoop
import Foundation
import Host
import Model
import Simulation

/// A process in a fleet, with its link to another process.
final class LinkPeer {
  private let loop: EventLoop
  private let link: FleetLink

  /// The maximum number of queued bytes in this process. It bounds the process's memory.
  private static let mostQueued = 4 << 20

  init(_ identity: LinkIdentity) throws {
    // Devices make the same call.
    FreedMemory.keep(upTo: 64 << 20)
    loop = try EventLoop(readSize: 1 << 18)
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    link = try FleetLink("\(folder)/sluice-link", as: identity, listeningAt: "127.0.0.1", on: loop)
  }

  func send(_ count: Int, of bytes: Int, to port: Int) throws -> ContinuousClock.Instant {
    link.reach(1, at: "127.0.0.1:\(port)")
    guard case .reached = try link.next() else {
      throw BenchError(description: "the receiver is not reachable")
    }
    let inFlight = InFlightMessage(
      message: DeviceMessage(
        transport: .airDrop, device: "phone", request: 1, type: "public.data", name: nil,
        payload: [UInt8](repeating: 7, count: bytes), isEncrypted: false),
      place: .device("desk"), time: 1_767_225_600, sender: 0)
    let start = ContinuousClock.now
    for _ in 0..<count {
      link.send(.inFlight(inFlight), to: 1)
      if link.queuedBytes > Self.mostQueued { try link.wait { link.queuedBytes == 0 } }
    }
    link.close()
    return start
  }

  func receive(_ count: Int, _ say: (String) -> Void) throws {
    say("\(link.port ?? 0)")
    var received = 0
    while received < count {
      if case .message(.inFlight, _) = try link.next() { received += 1 }
    }
    say("done")
    link.close()
  }
}
