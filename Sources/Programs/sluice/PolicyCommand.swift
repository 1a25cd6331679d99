internal import ArgumentParser

struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Inspect app protection policies, without running anything.",
    discussion: "docs/policy-commands.md shows what each prints.",
    subcommands: [
      PolicyShow.self, PolicyLint.self, PolicyDiff.self, PolicyCompareLog.self,
    ])
}
