internal import ArgumentParser
internal import Model
internal import Policy

/// Measures full explanations: each reason in words with its setting and source, and the changes
/// that would reverse the verdict.
struct Explain: ParsableCommand {
  @Argument(help: "Number of requests for each channel.") var each = 500
  @Flag(help: "Also print a line for each channel.") var byChannel = false

  func run() throws {
    var mix = try RequestMix(seed: 1)
    let requests = mix.requests(on: Channel.allCases, each: each)
    for request in requests.prefix(each) { _ = time(request) }
    let samples = requests.map(time)
    report("explain", samples)
    report("explain_refused", samples.filter { $0.explained.outcome != .allowed })
    report("explain_allowed", samples.filter { $0.explained.outcome == .allowed })
    guard byChannel else { return }
    for channel in Channel.allCases {
      report(channel.rawValue, samples.filter { $0.channel == channel })
    }
  }

  private struct Sample {
    var channel: Channel
    var explained: ExplainedVerdict
    var microseconds: Double
  }

  private func time(_ request: TransferRequest) -> Sample {
    var explained: ExplainedVerdict?
    let elapsed = seconds { explained = Explainer.explain(request, evaluate(request)) }
    return Sample(
      channel: request.channel,
      explained: explained
        ?? ExplainedVerdict(outcome: .blocked, deciding: .noRuleApplied, reasons: [], changes: []),
      microseconds: elapsed * 1e6)
  }

  private func report(_ name: String, _ samples: [Sample]) {
    let times = samples.map(\.microseconds)
    guard !times.isEmpty else { return }
    let changes = samples.reduce(0) { $0 + $1.explained.changes.count }
    printResult(
      name,
      [
        "mean_us": times.reduce(0, +) / Double(times.count), "p50_us": times.percentile(0.5),
        "p99_us": times.percentile(0.99), "max_us": times.percentile(1), "n": times.count,
        "changes": changes,
      ])
  }
}
