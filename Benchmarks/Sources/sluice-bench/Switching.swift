internal import ArgumentParser
internal import Host
internal import Wire

/// Switching identity where the policy asks the user nothing, against the shortest request that a device decides: a
/// paste from an empty pasteboard.
struct Switching: ParsableCommand {
  @Argument(help: "How many switches.") var count = 20_000

  func run() throws {
    let bench = try Workbench { $0.journal = .off }
    try bench.launchMultiIdentityApp("sender")
    let identities = [Workbench.anna.upn, Workbench.private.upn]
    var (switches, bare) = (0.0, 0.0)
    // In turns, so that both meet the same machine.
    for round in 0..<20 {
      bare += seconds {
        for _ in 0..<count / 20 { bench.perform(.paste, on: "sender") }
      }
      switches += seconds {
        for index in 0..<count / 20 {
          let identity = SwitchIdentity(account: identities[(round + index) % 2])
          bench.perform(.switchIdentity(identity), on: "sender")
        }
      }
    }
    print(
      "RESULT switching n=\(count) us=\(switches / Double(count) * 1e6)"
        + " bare_us=\(bare / Double(count) * 1e6) ratio=\(switches / bare)")
    bench.close()
  }
}
