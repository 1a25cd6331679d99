internal import ArgumentParser

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Inspect the configurations of managed apps, without running anything.",
    subcommands: [ConfigLint.self])
}
