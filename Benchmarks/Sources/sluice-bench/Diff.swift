internal import Analysis
internal import ArgumentParser
internal import Policy

/// Measures the comparison of two policies, with a witness for each differing kind of flow.
struct Diff: ParsableCommand {
  @Argument(help: "The old policy. The default is a random policy.") var old: String?
  @Argument(help: "The new policy. The default is another random policy.") var new: String?
  @Option(help: "Number of measurements; the result is the median.") var times = 10

  func run() throws {
    let before = try PolicyFile.first(of: old, seed: 1)
    let after = try PolicyFile.first(of: new, seed: 2)
    var flows = 0
    let elapsed = (0..<times).map { _ in
      seconds {
        let comparison = PolicyComparison(EffectivePolicy(before), EffectivePolicy(after))
        flows = comparison.flows.count
        _ = comparison.text(old: before.displayName, new: after.displayName)
      }
    }
    printResult(
      "diff", ["s": elapsed.percentile(0.5), "max_s": elapsed.percentile(1), "flows": flows])
  }
}

extension EffectivePolicy {
  fileprivate convenience init(_ document: PolicyDocument) {
    self.init(settings: document.settings, origins: document.origins)
  }
}
