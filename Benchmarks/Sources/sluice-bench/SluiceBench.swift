internal import ArgumentParser

/// Runs one benchmark, and prints one line. `run.sh` compares the lines with their references.
@main
struct SluiceBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice-bench",
    subcommands: [
      Broker.self, Configuring.self, Decisions.self, Diff.self, Enrolling.self, Explain.self,
      FirstMessage.self, Crowd.self, Fleet.self, Gossip.self, Keychain.self, Matrix.self,
      Parse.self,
      Requests.self, Scripts.self, Sharing.self, Switching.self, Wiping.self,
    ])
}
