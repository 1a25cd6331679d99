internal import ArgumentParser
internal import Model
internal import Policy

/// Measures the policy engine alone on one core. It gives verdicts with reason codes, for a mix of
/// all channels.
struct Decisions: ParsableCommand {
  @Argument(help: "Number of decisions.") var count = 3_000_000
  @Flag(help: "Decide only the transfers that `requests` prints.") var transfers = false
  @Flag(help: "Also print a line for each channel.") var byChannel = false

  func run() throws {
    var mix = try RequestMix(seed: 1)
    let requests =
      transfers
      ? try ExportedRequests().requests : mix.requests(on: Channel.allCases, each: 128)
    measure(requests, transfers ? "decisions_transfers" : "decisions", count)
    guard byChannel else { return }
    for channel in Channel.allCases {
      let own = requests.filter { $0.channel == channel }
      if !own.isEmpty { measure(own, channel.rawValue, count / 10) }
    }
  }

  private func measure(_ requests: [TransferRequest], _ name: String, _ count: Int) {
    let rounds = max(1, count / requests.count)
    var tally = Tally()
    let held = HeldRequests(requests)
    let elapsed = seconds { tally = decide(held, rounds) }
    let decisions = rounds * requests.count
    printResult(
      name,
      [
        "per_s": Int(Double(decisions) / elapsed), "n": decisions, "requests": requests.count,
        "allowed": tally.allowed / rounds, "reasons": tally.reasons / rounds,
      ])
  }

  private struct Tally {
    var allowed = 0
    var reasons = 0
  }

  private func decide(_ requests: borrowing HeldRequests, _ rounds: Int) -> Tally {
    var tally = Tally()
    for _ in 0..<rounds {
      for index in 0..<requests.count {
        let verdict = requests.decide(index)
        if verdict.outcome == .allowed { tally.allowed += 1 }
        tally.reasons += verdict.reasons.count
      }
    }
    return tally
  }
}
