internal import ArgumentParser

struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet", abstract: "Run devices of one organisation on several hosts.",
    subcommands: [FleetRun.self, FleetJoin.self])
}
