internal import ArgumentParser

/// The program that `sluice code` calls.
@main
struct SluiceCode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice code",
    abstract: "Look into the source of an app, and make it compile without Objective-C.",
    subcommands: [Adapt.self, Lint.self])
}
