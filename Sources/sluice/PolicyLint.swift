internal import ArgumentParser
internal import Foundation
internal import Inspection
internal import JSON
internal import Policy
internal import Simulation

struct PolicyLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Look for mistakes in policies: omissions, contradictions, settings without effect.",
    discussion: """
      A file that cannot be used is a finding, too, and the other files are looked into all the same.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file cannot be used, 64 usage.
      """)

  /// How findings are printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif
  }

  /// The least severity that fails a run.
  enum Threshold: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error, never

    var severity: Severity? { Severity(rawValue: rawValue) }
  }

  @Argument(help: "Policies as Microsoft Graph exports them, or folders of them.")
  var paths: [String]

  @Option(help: "Format of the findings.")
  var format = Format.text

  @Option(help: "The least severity that exits with status 1.")
  var failOn = Threshold.error

  func run() throws {
    let report = LintReport(paths.flatMap { Self.findings(in: $0) })
    print(rendered(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    if let severity = failOn.severity, report.hasFindings(from: severity) {
      throw Failure.expectation
    }
  }

  private static func findings(in path: String) -> [LintFinding] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return findings(in: path, by: Linter.lint) }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let folder = ExportFolder(name: path)
    return folder.candidates(among: names).flatMap { name in
      findings(in: "\(path)/\(name)") { bytes, file in
        folder.concerns(ExportFolder.File(path: name, bytes: bytes))
          ? Linter.lintExported(bytes, file: file) : []
      }
    }
  }

  private static func findings(
    in file: String, by lint: ([UInt8], String) -> [LintFinding]
  ) -> [LintFinding] {
    do throws(RunError) {
      return lint(try InputFile.bytes(file), file)
    } catch {
      return [.unreadable(file: file, described: error.description)]
    }
  }

  private func rendered(_ report: LintReport) -> String {
    var writer = JSONWriter()
    switch format {
    case .text: return report.text
    case .json: report.writeJSON(to: &writer)
    case .sarif: report.writeSARIF(to: &writer)
    }
    writer.endLine()
    return writer.text
  }
}
