internal import ArgumentParser
internal import Encodings
internal import JSON
internal import Output
internal import Simulation
internal import Specification

struct Spec: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract:
      "Document for administrators how an app is configured, from the JSON Schema it ships.",
    discussion: """
      What looks wrong in the specification goes to standard error. docs/specification.md tells what a \
      specification is.

      Exit status: 0 documented, 2 the specification cannot be used, 64 usage.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case markdown, html, json
  }

  @Argument(help: "The app's specification.", completion: .file())
  var file: String

  @Option(help: "Format of the documentation.")
  var format = Format.markdown

  @Option(help: "A file to write it to, in place of standard output.", completion: .file())
  var output: String?

  func perform() throws(RunError) {
    try TextFile.check(output, isNoneOf: [file])
    let specification = try SpecificationFile.read(file)
    for finding in specification.findings { Failure.print(finding.description) }
    let text = rendered(specification)
    guard let output else {
      return print(text.escapingUnprintable(except: ["\n", "\t"]), terminator: "")
    }
    try TextFile.write(text, to: output)
  }

  private func rendered(_ specification: AppSpecification) -> String {
    switch format {
    case .markdown: return specification.markdown
    case .html: return specification.html
    case .json: return JSONWriter.line { specification.writeJSON(to: &$0) }
    }
  }
}

private enum SpecificationFile {
  /// Reads a specification.
  ///
  /// - Throws: ``RunError`` if the file cannot be read or is not a specification.
  static func read(_ path: String) throws(RunError) -> AppSpecification {
    let bytes = try InputFile.document(path)
    do throws(SpecificationError) {
      return try AppSpecification(bytes, file: path)
    } catch {
      throw RunError(error.findings.map(\.diagnostic))
    }
  }
}

// MARK: - Configurations

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Inspect the configurations of managed apps, without running anything.",
    subcommands: [ConfigLint.self])
}

private struct ConfigLint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check configurations of a managed app against the specification that it ships.",
    discussion: """
      What looks wrong in the specification is said first. A configuration that cannot be used is a finding, \
      too, and the others are looked into all the same.

      Exit status: 0 nothing as bad as --fail-on, 1 a finding as bad, 2 a file cannot be used, 64 usage.
      """)

  @Argument(help: "Configurations: property lists, XML or binary, or JSON.", completion: .file())
  var files: [String]

  @Option(help: "The app's specification.", completion: .file())
  var against: String

  @OptionGroup var options: LintOptions

  func run() throws {
    let specification = try Failure.reporting { () throws(RunError) in
      try SpecificationFile.read(against)
    }
    let report = SpecificationReport(
      specification.findings + files.flatMap { findings(in: $0, against: specification) })
    print(options.format.render(report), terminator: "")
    if report.hasUnreadableFile { throw Failure.input }
    try options.failOn.check(report)
  }

  private func findings(
    in file: String, against specification: AppSpecification
  ) -> [SpecificationFinding] {
    do throws(RunError) {
      return ConfigurationLinter.lint(
        try InputFile.document(file), file: file, against: specification)
    } catch {
      return [.unreadable(file: file, reason: error.reason)]
    }
  }
}
