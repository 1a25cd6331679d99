internal import Analysis
internal import ArgumentParser
internal import Diagnostics
internal import Policy
internal import Simulation

/// The format in which a comparison is printed.
enum DiffFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, html
}

struct PolicyDiff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show which flows become possible, and which impossible, from one policy to another.",
    discussion: """
      Each difference comes with the settings that make it and with a request of `sluice decide` that both \
      policies answer differently. Every managed account counts as under the policy, whatever it targets. \
      No process is started.

      Where a file or folder holds several policies, those of both sides are paired by id, then by display name, \
      and what is on one side only is added or removed.

      Exit status: 0 all flows are decided alike, 1 some are not, or a policy is added or removed, 2 a policy is \
      invalid, 64 usage.
      """)

  @Argument(
    help: "The current policy, as Microsoft Graph exports it, or a folder of policies.",
    completion: .file())
  var old: String

  @Argument(help: "The new policy.", completion: .file())
  var new: String

  @Option(help: "Compare the policy of this display name only.")
  var name: String?

  @Option(help: "Format of the comparison.")
  var format = DiffFormat.text

  func run() throws {
    do throws(RunError) {
      let (before, after) = (try documents(old), try documents(new))
      guard before.count == 1, after.count == 1 else {
        let comparison = PolicySetComparison(before, after)
        print(render(comparison), terminator: "")
        return finish(comparison.isSameBehaviour)
      }
      let pair = PolicySetComparison.Pair(before[0], after[0])
      print(render(pair), terminator: "")
      finish(pair.comparison.isSameBehaviour)
    } catch {
      throw Failure.report(error)
    }
  }

  private func finish(_ isSame: Bool) {
    if !isSame { PolicyDiff.exit(withError: Failure.expectation) }
  }

  private func render(_ comparison: PolicySetComparison) -> String {
    switch format {
    case .text: comparison.text(old: old, new: new)
    case .json: comparison.json(old: old, new: new)
    case .html: comparison.html(old: old, new: new)
    }
  }

  private func render(_ pair: PolicySetComparison.Pair) -> String {
    let names = [pair.old, pair.new].map { "\($0.displayName) (\($0.file))" }
    return switch format {
    case .text: pair.comparison.text(old: names[0], new: names[1])
    case .json: pair.comparison.json(old: pair.old.file, new: pair.new.file)
    case .html: pair.html()
    }
  }

  /// All policies of the file or folder, or those of the given name.
  ///
  /// - Throws: ``RunError`` where a policy cannot be read, or none has the name.
  private func documents(_ path: String) throws(RunError) -> [PolicyDocument] {
    let all = try PolicyFiles.load(path)
    let documents = name.map { name in all.filter { $0.displayName == name } } ?? all
    guard !documents.isEmpty else {
      let names = all.map { "`\($0.displayName)`" }.joined(separator: ", ")
      throw RunError(
        .file(path), "there is no policy `\(name ?? "")`; there are \(names)", rule: "name")
    }
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    return documents
  }
}
