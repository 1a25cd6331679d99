internal import ArgumentParser
internal import Foundation
internal import Host
internal import Model
internal import Wire

/// Compares an identity switch that needs no user interaction with a bare brokered round trip. In
/// the round trip, another guest receives and confirms a short text without any decision. The
/// switch and the round trip are requested in the same way.
struct Switching: ParsableCommand {
  @Argument(help: "Number of switches.") var count = 20_000

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    try bench.launchMultiIdentityApp("sender")
    let broker = try Workbench {
      $0.journal = .off
      $0.enforcement = .none
    }
    try broker.launchPeers()
    let identities = [Workbench.anna.upn, Workbench.private.upn]
    // The peer checks its counter, and accepts 0 repeatedly.
    let zeros = Item(type: Item.plainText, payload: .inline(Array(repeating: 0, count: 64)))
    let share = Share(destination: "receiver", item: zeros)
    var (switches, bare) = (0.0, 0.0)
    // The rounds alternate, so other load on the machine affects both measurements.
    for round in 0..<20 {
      bare += seconds {
        for _ in 0..<count / 20 { broker.perform(.share(share), on: "sender") }
      }
      switches += seconds {
        for index in 0..<count / 20 {
          let identity = SwitchIdentity(account: identities[(round + index) % 2])
          bench.perform(.switchIdentity(identity), on: "sender")
        }
      }
    }
    printResult(
      "switching",
      [
        "n": count, "us": switches / Double(count) * 1e6, "bare_us": bare / Double(count) * 1e6,
        "ratio": switches / bare,
      ])
    bench.close()
    broker.close()
  }

}
