internal import ArgumentParser
internal import Foundation
internal import JSON
internal import Output
@preconcurrency internal import Rainbow
internal import Reports
internal import Scenario
internal import Simulation

enum TextFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

// MARK: - Reports

enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, junit, tap, html, durations

  func render(
    _ report: Report, _ picture: () -> Picture, _ palette: Palette, _ detail: ReportDetail
  ) -> String {
    switch self {
    case .text: report.text(palette: palette, detail: detail)
    case .json: report.json()
    case .junit: report.junit()
    case .tap: report.tap()
    case .html: picture().page()
    case .durations: report.durations()
    }
  }
}

enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// The palette for standard output.
  var palette: Palette {
    switch self {
    case .always: .colored
    case .never: .plain
    case .auto: isatty(STDOUT_FILENO) == 1 && !Self.isUnwanted ? .colored : .plain
    }
  }

  /// Whether `NO_COLOR` is set and not empty (no-color.org).
  private static var isUnwanted: Bool {
    ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
  }
}

struct ReportOptions: ParsableArguments {
  @Option(help: "Format of the report on standard output.")
  var format = ReportFormat.text

  @Option(
    help: .outputs("A report"), transform: { try FileOutput<ReportFormat>($0) })
  var output: [FileOutput<ReportFormat>] = []

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Show the steps and reasons of passing cases too.")
  var verbose = false

  /// Prints the report and writes the other outputs.
  ///
  /// - Parameter picture: the report as a page.
  /// - Throws: ``RunError`` if a file cannot be written.
  func print(_ report: Report, _ picture: () -> Picture) throws(RunError) {
    let detail = verbose ? ReportDetail.everything : .titles
    Swift.print(format.render(report, picture, color.palette, detail), terminator: "")
    for output in output { try output.write(output.format.render(report, picture, .plain, detail)) }
  }
}

extension Palette {
  fileprivate static var colored: Palette {
    Rainbow.enabled = true
    Rainbow.outputTarget = .console
    return Palette(good: { $0.green }, bad: { $0.red }, strong: { $0.bold }, faint: { $0.dim })
  }
}

// MARK: - Files

extension ArgumentHelp {
  /// The help of `--output`, which writes `what` into files.
  static func outputs(_ what: String) -> ArgumentHelp {
    ArgumentHelp(
      "\(what) into a file too; without FORMAT the extension tells it. Can be repeated.",
      valueName: "format=path")
  }
}

/// `FORMAT=PATH`, or a path whose extension implies the format: a report file in addition to standard output.
struct FileOutput<Format: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  let format: Format
  let path: String

  /// Returns the same file with a format of another set.
  func `as`<Other>(_ other: (Format) -> Other) -> FileOutput<Other> {
    FileOutput<Other>(format: other(format), path: path)
  }

  fileprivate init(format: Format, path: String) {
    self.format = format
    self.path = path
  }

  /// Parses the option's value.
  ///
  /// - Throws: `ValidationError` if the value names no format and its extension implies none.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, let format = Format(rawValue: parts[0]) {
      self.format = format
      path = parts[1]
    } else if !argument.contains("="), let format = Self.format(of: argument) {
      self.format = format
      path = argument
    } else {
      let formats = Format.allCases.map(\.rawValue)
      throw ValidationError(
        "expected FORMAT=PATH, as in json=report.json, where FORMAT is one of "
          + formats.joined(separator: ", ")
          + (parts.count == 2 ? Suggestion.nearest(to: parts[0], among: formats) : ""))
    }
  }

  /// The usual format for the file's extension; nil if there is none.
  private static func format(of path: String) -> Format? {
    let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
    return Format(rawValue: ["xml": "junit", "txt": "text"][ending] ?? ending)
  }

  /// Writes `text` to the file.
  ///
  /// - Throws: ``RunError`` with the system's reason if the file cannot be written.
  func write(_ text: String) throws(RunError) { try TextFile.write(text, to: path) }
}

/// The option of commands that write one text, to standard output by default.
struct OutputOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "Write to this file instead of standard output.", completion: .file())
  var file: String?

  /// Writes the text to the file, or to standard output.
  ///
  /// - Throws: ``RunError`` with the system's reason if the file cannot be written.
  func write(_ text: String) throws(RunError) {
    guard let file else { return print(text, terminator: "") }
    try TextFile.write(text, to: file)
  }
}

/// Files that commands write.
enum TextFile {
  /// Replaces the file at `path` atomically with `text`, like ``OutputFile``.
  ///
  /// - Throws: ``RunError`` with the system's reason if the file cannot be written.
  static func write(_ text: String, to path: String) throws(RunError) {
    try write(Data(text.utf8), to: path)
  }

  /// Replaces the file at `path` atomically with data.
  ///
  /// - Throws: ``RunError`` with the system's reason if the file cannot be written.
  static func write(_ text: Data, to path: String) throws(RunError) {
    do throws(OutputFailure) {
      try OutputFile.write(Array(text), to: path)
    } catch {
      throw RunError(unwritable: path, error.code)
    }
  }

  /// Checks that an output file is not one of the inputs.
  ///
  /// - Parameter output: the path; nil for standard output.
  /// - Throws: ``RunError`` if it is an input.
  static func check(_ output: String?, isNoneOf inputs: [String]) throws(RunError) {
    guard let output, inputs.contains(where: { isSame(output, $0) }) else { return }
    throw RunError(
      .file(output), "this is read, and is not written over; name another file", rule: "file")
  }

  /// Whether two paths refer to the same file.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}

// MARK: - Findings

/// The options shared by all lint commands.
struct LintOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, sarif

    func render(_ report: FindingReport<some FindingRule>) -> String {
      var writer = JSONWriter()
      switch self {
      case .text: return report.text
      case .json: report.writeJSON(to: &writer)
      case .sarif: report.writeSARIF(to: &writer)
      }
      writer.endLine()
      return writer.text
    }
  }

  /// The lowest severity that fails a run.
  enum Threshold: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error, never

    /// Checks a report.
    ///
    /// - Throws: exit status 1 if the report has a finding of this severity or a higher one.
    func check(_ report: FindingReport<some FindingRule>) throws(ExitCode) {
      guard let severity = Severity(rawValue: rawValue), report.hasFindings(from: severity) else {
        return
      }
      throw Failure.expectation
    }
  }

  @Option(help: "Format of the findings.")
  var format = Format.text

  @Option(help: "The least severity that exits with status 1.")
  var failOn = Threshold.error
}

// MARK: - Coverage

/// The options for the coverage of settings and rules.
struct CoverageOptions: ParsableArguments {
  @Flag(
    help: "Show which settings of the policies, and which rules, took part in a verdict.")
  var coverage = false

  @Option(help: "Write the coverage into this file, as JSON.", completion: .file())
  var coverageOutput: String?

  @Option(
    help: "Fail unless this share of the settings that the policies state took part, in percent.")
  var minCoverage: Int?

  /// Whether a coverage option is set.
  var isAsked: Bool { coverage || coverageOutput != nil || minCoverage != nil }

  func validate() throws {
    if let minCoverage, !(0...100).contains(minCoverage) {
      throw ValidationError("--min-coverage must be 0 to 100, found \(minCoverage)")
    }
  }

  /// Prints the coverage if requested: after a text report, or on standard error beside other formats.
  ///
  /// - Throws: ``RunError`` if the file cannot be written.
  func print(_ covered: Coverage, beside format: ReportFormat) throws(RunError) {
    if coverage {
      if format == .text {
        Swift.print("\n" + covered.text, terminator: "")
      } else {
        Failure.print(String(covered.text.dropLast()))
      }
    }
    if let coverageOutput { try TextFile.write(covered.json, to: coverageOutput) }
  }

  /// Returns whether the coverage is sufficient; prints an error if not.
  func isEnough(_ covered: Coverage) -> Bool {
    guard let minCoverage, covered.percent < minCoverage else { return true }
    Failure.print(
      "sluice: error: coverage is \(covered.percent) %, expected \(minCoverage) % [coverage]")
    return false
  }
}
