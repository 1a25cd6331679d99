internal import ArgumentParser

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Inspect apps, extensions and their property lists, without running anything.",
    discussion: "docs/bundles.md shows what each prints.",
    subcommands: [
      BundleShow.self, BundleActivation.self, BundleLint.self, BundleFix.self,
    ])
}
