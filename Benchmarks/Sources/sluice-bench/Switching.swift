internal import ArgumentParser
internal import Foundation
internal import Host
internal import Model
internal import Wire

/// Switching identity where the policy asks the user nothing, against a bare brokered round trip: a short text that
/// another guest gets and confirms, with nothing decided. Both are asked for in the same way.
struct Switching: ParsableCommand {
  @Argument(help: "How many switches.") var count = 20_000

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    try bench.launchMultiIdentityApp("sender")
    let broker = try Workbench {
      $0.journal = .off
      $0.enforcement = .none
    }
    try broker.launchPeers()
    let identities = [Workbench.anna.upn, Workbench.private.upn]
    // The peer counts what it gets, and takes 0 as often as it comes.
    let zeros = Item(type: Item.plainText, payload: .inline(Array(repeating: 0, count: 64)))
    let share = Share(destination: "receiver", item: zeros)
    var (switches, bare) = (0.0, 0.0)
    // In turns, so that both meet the same machine.
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
