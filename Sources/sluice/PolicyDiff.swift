internal import Analysis
internal import ArgumentParser
internal import Policy
internal import Simulation

/// How a comparison is printed.
enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

struct PolicyDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show which flows become possible, and which impossible, from one policy to another.",
    discussion: """
      Each difference comes with the settings that make it and with a request of `sluice decide` that both \
      policies answer differently. Every managed account counts as under the policy, whatever it targets. \
      No process is started.

      Exit status: 0 all flows are decided alike, 1 some are not, 2 a policy is invalid, 64 usage.
      """)

  @Argument(help: "The policy as it is, as Microsoft Graph exports it.")
  var old: String

  @Argument(help: "The policy as it is to be.")
  var new: String

  @Option(help: "The policy of this display name, where a file holds several.")
  var name: String?

  @Option(help: "Format of the comparison.")
  var format = DiffFormat.text

  func run() throws {
    do throws(RunError) {
      let before = try document(old)
      let after = try document(new)
      let comparison = PolicyComparison(
        EffectivePolicy(settings: before.settings, origins: before.origins),
        EffectivePolicy(settings: after.settings, origins: after.origins))
      switch format {
      case .text:
        print(
          comparison.text(
            old: "\(before.displayName) (\(before.file))",
            new: "\(after.displayName) (\(after.file))"), terminator: "")
      case .json: print(comparison.json(old: before.file, new: after.file), terminator: "")
      }
      if !comparison.isSameBehaviour { PolicyDiff.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  /// The only policy of the file, or the one of the name.
  private func document(_ path: String) throws(RunError) -> PolicyDocument {
    let all = try PolicyFiles.load(path)
    let documents = name.map { name in all.filter { $0.displayName == name } } ?? all
    let names = all.map { "`\($0.displayName)`" }.joined(separator: ", ")
    guard let document = documents.first else {
      throw RunError(
        "\(path):1:1: error: there is no policy `\(name ?? "")`; there are \(names) [name]")
    }
    guard documents.count == 1 else {
      let isNamed = Set(documents.map(\.displayName)).count == documents.count
      throw RunError(
        "\(path):1:1: error: there are \(documents.count) policies, "
          + (isNamed
            ? "choose one with --name: \(names)" : "some of one name: take their files apart")
          + " [name]")
    }
    for warning in document.warnings { Failure.print("\(warning)") }
    return document
  }
}
