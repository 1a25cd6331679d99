internal import Analysis
internal import ArgumentParser
internal import Policy

/// Measures the comparison of two policies, with a witness for each differing kind of flow.
struct Diff: ParsableCommand {
  @Argument(help: "The policy as it is; a drawn one, where none is given.") var old: String?
  @Argument(help: "The policy as it is to be; another, where none is given.") var new: String?
  @Option(help: "How many times; the median counts.") var times = 10

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
