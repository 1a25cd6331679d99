internal import ArgumentParser

/// `sluice configuration`.
struct ConfigurationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "configuration",
    abstract: "Inspect app configurations, without running anything.",
    discussion: "docs/app-configuration.md shows what each prints.",
    subcommands: [ConfigurationShow.self])
}
