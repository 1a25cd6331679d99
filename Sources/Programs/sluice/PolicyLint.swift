internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import GraphDocuments
internal import Inspection
internal import Policy
internal import Simulation

struct PolicyLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Look for mistakes in policies: omissions, contradictions, settings without effect.",
    discussion: """
      A file that cannot be used is a finding, too, and the other files are looked into all the same; so is a \
      folder that holds no policy for iOS.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file or folder cannot be used, 64 \
      usage.
      """)

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @OptionGroup var options: LintOptions

  func run() throws {
    let report = LintReport(paths.flatMap { Self.findings(in: $0) })
    print(options.format.render(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    try options.failOn.check(report)
  }

  private static func findings(inFile file: String) -> [LintFinding] {
    do throws(RunError) {
      let bytes = try InputFile.document(file)
      if let mistake = PolicyFiles.mistake(bytes, file: file) { throw mistake }
      return Linter.lint(bytes, file: file)
    } catch {
      return [.unreadable(file: file, reason: error.reason)]
    }
  }

  private static func findings(in path: String) -> [LintFinding] {
    guard let input = InputFolder(path) else { return findings(inFile: path) }
    let folder = ExportFolder(name: path)
    var unreadable: [LintFinding] = []
    var files: [ExportFolder.File] = []
    for name in folder.candidates(among: input.names) {
      do throws(RunError) {
        files.append(try input.read(name))
      } catch {
        let file = "\(folder.name)/\(name)"
        unreadable.append(.unreadable(file: file, reason: error.reason))
      }
    }
    return unreadable + Linter.lint(folder.survey(files, beside: input.scripts(of: folder)))
  }
}
