internal import ArgumentParser
internal import Encodings
internal import Foundation
internal import Model
internal import Output
@preconcurrency internal import Rainbow
internal import Replay
internal import Reports
internal import Scenario
internal import Simulation

// MARK: - Formats

/// A format in which a command writes its output. The first case is the default.
protocol OutputFormat: RawRepresentable<String>, CaseIterable, ExpressibleByArgument, Sendable {}

extension OutputFormat {
  /// The format in the absence of `--format`.
  static var standard: Self { allCases[allCases.startIndex] }
}

enum TextFormat: String, OutputFormat {
  case text, json
}

/// The formats of reports that can also be an HTML page.
enum TextOrPageFormat: String, OutputFormat {
  case text, json, html
}

enum TableFormat: String, OutputFormat {
  case text, json, csv, html
}

enum JSONFormat: String, OutputFormat {
  case json
}

enum PageFormat: String, OutputFormat {
  case html
}

enum ReportFormat: String, OutputFormat {
  case text, json, junit, tap, html, durations

  func render(
    _ report: Report, _ picture: () -> Picture, _ palette: Palette, _ extent: TextExtent
  ) -> String {
    switch self {
    case .text:
      report.text(palette: palette, detail: extent.detail, mostFailures: extent.mostFailures)
    case .json: report.json()
    case .junit: report.junit()
    case .tap: report.tap()
    case .html: picture().page()
    case .durations: report.durations()
    }
  }
}

/// The level of detail that a text report shows about cases.
struct TextExtent {
  var detail = ReportDetail.titles
  /// For a case with several devices, the maximum number of distinct failures that the report shows; nil for all.
  var mostFailures: Int?
}

enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// Returns the colours for text at a destination. Text in files has none.
  func palette(for destination: OutputDestination) -> Palette {
    switch destination {
    case .standardOutput: palette
    case .file: .plain
    }
  }

  /// The colours for text on standard output.
  var palette: Palette {
    switch self {
    case .always: .colored
    case .never: .plain
    case .auto: isatty(STDOUT_FILENO) == 1 && !Self.isUnwanted ? .colored : .plain
    }
  }

  /// Whether the environment variable `NO_COLOR` is set and not empty, which disables colours (no-color.org).
  private static var isUnwanted: Bool {
    ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
  }
}

extension Palette {
  fileprivate static var colored: Palette {
    Rainbow.enabled = true
    Rainbow.outputTarget = .console
    return Palette(good: { $0.green }, bad: { $0.red }, strong: { $0.bold }, faint: { $0.dim })
  }
}

// MARK: - Options

/// The option `--output` of commands that write a report or a page. With this option, they write only to the stated
/// destinations.
///
/// Commands that always print their report use ``ReportOptions`` instead.
struct OutputOptions<Format: OutputFormat>: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write to this file; - is standard output. Without FORMAT=, the extension implies the format. Can be repeated.",
      valueName: "format=path"), completion: .file(),
    transform: { try OutputArgument<Format>($0) })
  var output: [OutputArgument<Format>] = []

  /// Writes the output to each file of `--output`, or prints it if there is none. Throws an error if a file's extension
  /// contradicts `format`.
  func write(
    _ format: Format,
    _ render: (Format, OutputDestination) throws(RunError) -> String
  ) throws(RunError) {
    try targets(format).write(render)
  }

  /// Returns the destinations of the output, each with its format. Throws an error if a file's extension contradicts
  /// `format`, or if `format` is the standard format and the extension is that of a format which the command does not
  /// write.
  func targets(_ format: Format) throws(RunError) -> OutputTargets<Format> {
    guard !output.isEmpty else { return OutputTargets([(format, .standardOutput)]) }
    if format == Format.standard, let other = output.first(where: \.hasForeignExtension) {
      throw RunError(
        .command,
        "no format has the file extension of `\(other.path)`; write `--output \(format.rawValue)=\(other.path)`, "
          + "or choose another extension", rule: "format")
    }
    if format != Format.standard, let other = output.first(where: { $0.contradicts(format) }) {
      throw RunError(
        .command,
        "`\(other.path)` is \(other.format?.rawValue ?? "") by its extension, and --format is \(format.rawValue); "
          + "write `--output \(format.rawValue)=\(other.path)`", rule: "format")
    }
    return OutputTargets(output.map { ($0.format ?? format, $0.destination) })
  }

  /// Returns the formats of all destinations, for checks of the command line. `format` applies to destinations without
  /// a stated format.
  func formats(_ format: Format) -> [Format] {
    output.isEmpty ? [format] : output.map { $0.format ?? format }
  }

  func check(isNoneOf inputs: [String]) throws(RunError) {
    for path in paths { try TextFile.check(path, isNoneOf: inputs) }
  }

  var paths: [String] { output.map(\.destination).compactMap(\.path) }
}

extension OutputOptions<TextFormat> {
  /// Writes the output to each file of `--output`, or prints it if there is none.
  func write(
    _ format: TextFormat, text: @autoclosure () -> String, json: @autoclosure () -> String
  ) throws(RunError) {
    try write(format) { format, _ in
      switch format {
      case .text: text()
      case .json: json()
      }
    }
  }
}

/// The options of commands that always print their report, and also write it to the files of `--output`.
struct ReportOptions<Format: OutputFormat>: ParsableArguments {
  @Option(help: "Format of the report on standard output.")
  var format = Format.standard

  @OptionGroup var files: OutputOptions<Format>

  func validate() throws {
    for output in files.output where output.format == nil && output.destination != .standardOutput {
      throw OutputArgument<Format>.malformed(
        "no format has the file extension of `\(output.path)`; ")
    }
  }

  /// Standard output and the files, each with its format. The format in `--output FORMAT=-` replaces `--format` on
  /// standard output.
  var targets: OutputTargets<Format> {
    let others = files.output.map { ($0.format ?? format, $0.destination) }
    let isReplaced = others.contains { $1 == .standardOutput }
    return OutputTargets((isReplaced ? [] : [(format, .standardOutput)]) + others)
  }
}

/// The options for the level of detail and the colours of a text report.
struct DetailOptions: ParsableArguments {
  private enum Amount: String, EnumerableFlag {
    case verbose, quiet

    static func name(for value: Self) -> NameSpecification { .shortAndLong }

    static func help(for value: Self) -> ArgumentHelp? {
      switch value {
      case .verbose: "Show the steps and reasons of passing cases too."
      case .quiet: "Show only failures and the summary."
      }
    }
  }

  @Flag private var amount: Amount?

  @Option(
    help: ArgumentHelp(
      "Stop after this many failed cases; of a case's devices, show at most this many distinct failures.",
      valueName: "n"))
  var maxFailures: Int?

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  var extent: TextExtent {
    let detail: ReportDetail =
      switch amount {
      case .verbose: .everything
      case .quiet: .failures
      case nil: .titles
      }
    return TextExtent(detail: detail, mostFailures: maxFailures)
  }

  func validate() throws {
    if let maxFailures, maxFailures < 1 {
      throw ValidationError("--max-failures must be 1 or more, found \(maxFailures)")
    }
  }
}

/// The option that limits a text report to failures.
struct QuietOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show only failures and the summary.")
  var quiet = false

  var detail: ReportDetail { quiet ? .failures : .titles }
}

// MARK: - Destinations

enum OutputDestination: Sendable, Hashable {
  case standardOutput
  case file(String)

  /// The file's path; nil for standard output.
  var path: String? {
    switch self {
    case .standardOutput: nil
    case .file(let path): path
    }
  }

  func write(_ text: String) throws(RunError) {
    switch self {
    case .standardOutput: print(text, terminator: "")
    case .file(let path): try TextFile.write(text, to: path)
    }
  }
}

/// A value of `--output`: `FORMAT=PATH`, or a path whose extension may determine the format.
struct OutputArgument<Format: OutputFormat>: Sendable {
  /// The format before `=`, or else the format that the extension determines; nil if there is neither.
  let format: Format?
  let destination: OutputDestination
  /// The path as given on the command line.
  let path: String
  private let isStated: Bool

  /// Parses a value of `--output`. The text before the first `=` is a format, except if it contains a dot or a slash:
  /// then the whole value is a path.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    if parts.count == 2, !parts[0].contains(where: { $0 == "/" || $0 == "." }) {
      guard let format = Format(rawValue: parts[0]) else {
        throw Self.malformed(naming: parts[0])
      }
      self.format = format
      path = parts[1]
      isStated = true
    } else {
      format = Self.format(of: argument)
      path = argument
      isStated = false
    }
    guard !path.isEmpty else { throw Self.malformed() }
    destination = path == "-" ? .standardOutput : .file(path)
  }

  /// Returns whether the value names no format and the path's extension determines a format other than `other`.
  fileprivate func contradicts(_ other: Format) -> Bool {
    !isStated && format.map { $0 != other } ?? false
  }

  /// Returns the error for a value of `--output` that has no valid format.
  ///
  /// - Parameters:
  ///   - reason: The beginning of the message.
  ///   - word: The invalid format in the value; nil if there is none.
  static func malformed(_ reason: String = "", naming word: String? = nil) -> ValidationError {
    let formats = Format.allCases.map(\.rawValue)
    let example = formats.contains("json") ? "json=report.json" : "\(formats[0])=PATH"
    return ValidationError(
      reason + "expected FORMAT=PATH, as in \(example), where FORMAT is one of "
        + formats.joined(separator: ", ")
        + (word.map { Suggestion.nearest(to: $0, among: formats) } ?? ""))
  }

  /// Whether the value names no format, and the path has the usual extension of a format that the command does not
  /// write.
  var hasForeignExtension: Bool { format == nil && Self.foreign.contains(Self.ending(of: path)) }

  /// Returns the format that the file's extension determines; nil if it determines none.
  private static func format(of path: String) -> Format? {
    let ending = ending(of: path)
    return Format(rawValue: usualNames[ending] ?? ending)
  }

  private static func ending(of path: String) -> String {
    URL(fileURLWithPath: path).pathExtension.lowercased()
  }

  /// The extensions of formats that commands write, and of documents that users may expect.
  private static var foreign: Set<String> {
    [
      "csv", "docx", "dot", "gv", "htm", "html", "jpg", "json", "junit", "md", "mmd", "pdf", "png",
      "sarif", "svg", "tap", "text", "txt", "xlsx", "xml", "yaml", "yml",
    ]
  }

  /// The formats whose names differ from their file extensions, keyed by extension.
  private static var usualNames: [String: String] {
    ["xml": "junit", "txt": "text", "htm": "html", "md": "markdown", "gv": "dot", "mmd": "mermaid"]
  }
}

/// The destinations of a report, each with its format. There is at least one.
struct OutputTargets<Format: Sendable>: Sendable {
  private let targets: [(format: Format, destination: OutputDestination)]

  init(_ targets: [(format: Format, destination: OutputDestination)]) { self.targets = targets }

  func map<Other, Failure: Error>(
    _ convert: (Format) throws(Failure) -> Other
  ) throws(Failure) -> OutputTargets<Other> {
    var others: [(format: Other, destination: OutputDestination)] = []
    for (format, destination) in targets { others.append((try convert(format), destination)) }
    return OutputTargets<Other>(others)
  }

  /// Writes the report to each destination, in order.
  func write(
    _ render: (Format, OutputDestination) throws(RunError) -> String
  ) throws(RunError) {
    try forEach { format, destination throws(RunError) in
      try destination.write(render(format, destination))
    }
  }

  /// Calls `body` for each destination. Use it for output that is not a single text, such as a folder.
  func forEach(
    _ body: (Format, OutputDestination) throws(RunError) -> Void
  ) throws(RunError) {
    for (format, destination) in targets { try body(format, destination) }
  }

  var printed: [Format] { targets.filter { $0.destination == .standardOutput }.map(\.format) }
}

/// Functions for files that commands write.
enum TextFile {
  /// Writes `text` to the file at `path`. An existing file is replaced atomically, as by ``OutputFile``.
  static func write(_ text: String, to path: String) throws(RunError) {
    try write(Data(text.utf8), to: path)
  }

  /// Writes data to the file at `path`. An existing file is replaced atomically, as by ``OutputFile``.
  static func write(_ text: Data, to path: String) throws(RunError) {
    do throws(OutputError) {
      try OutputFile.write(Array(text), to: path)
    } catch {
      throw RunError(unwritable: path, error.code)
    }
  }

  /// Checks that the output file is not one of the input files. A nil `output` is standard output, which is always
  /// valid.
  static func check(_ output: String?, isNoneOf inputs: [String]) throws(RunError) {
    guard let output, inputs.contains(where: { isSame(output, $0) }) else { return }
    throw RunError(
      .file(output), "this is an input, which cannot be overwritten; name another file",
      rule: "file")
  }

  /// Returns whether two paths refer to the same file.
  static func isSame(_ path: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(path, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}

// MARK: - Findings

struct LintOptions: ParsableArguments {
  enum Format: String, OutputFormat {
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

  /// The value of `--fail-on`: findings of this severity or higher make the command fail.
  enum Threshold: String, CaseIterable, ExpressibleByArgument {
    case note, warning, error, never

    /// Throws exit status 1 if the report has a finding of this severity or higher. Never throws for `never`.
    func check(_ report: FindingReport<some FindingRule>) throws(ExitCode) {
      guard let severity = Severity(rawValue: rawValue), report.hasFindings(from: severity) else {
        return
      }
      throw Failure.expectation
    }
  }

  @Option(help: "Format of the findings.")
  var format = Format.text

  @OptionGroup var output: OutputOptions<Format>

  @Option(help: "The lowest severity that fails with status 1.")
  var failOn = Threshold.error

  /// Throws exit status 1 if the report has a finding of the severity in `--fail-on` or higher.
  func check(_ report: FindingReport<some FindingRule>) throws(ExitCode) {
    try failOn.check(report)
  }

  /// Writes the report to each file of `--output`, or prints it if there is none. If that fails, prints the error and
  /// throws its exit status.
  func write(_ report: FindingReport<some FindingRule>) throws(ExitCode) {
    try Failure.reporting { () throws(RunError) in
      try output.write(format) { format, _ in format.render(report) }
    }
  }
}

// MARK: - Coverage

struct CoverageOptions: ParsableArguments {
  @Flag(
    help: "Show which settings and rules took part in a verdict.")
  var coverage = false

  @Option(help: "Write the coverage to this file, as JSON.", completion: .file())
  var coverageOutput: String?

  @Option(
    help:
      "The percentage of stated settings that must take part in a verdict; the run fails below it.")
  var minCoverage: Int?

  @Option(
    help:
      "The support that public statements must give each deciding rule of a step with expectations; a case with a weaker rule fails."
  )
  var minEvidence: Standing.Minimum?

  var isAsked: Bool {
    coverage || coverageOutput != nil || minCoverage != nil || minEvidence != nil
  }

  func validate() throws {
    if let minCoverage, !(0...100).contains(minCoverage) {
      throw ValidationError("--min-coverage must be 0 to 100, found \(minCoverage)")
    }
  }

  /// Writes the coverage to the destinations in the options. With `--coverage`, it follows a text report on standard
  /// output; if the report has another format, it goes to standard error.
  ///
  /// - Parameter formats: The formats of the report on standard output.
  func print<Format: OutputFormat>(
    _ covered: Coverage, beside formats: [Format]
  ) throws(RunError) {
    if coverage {
      if formats.map(\.rawValue) == [ReportFormat.text.rawValue] {
        Swift.print("\n" + covered.text, terminator: "")
      } else {
        Failure.print(String(covered.text.dropLast()))
      }
    }
    if let coverageOutput { try TextFile.write(covered.json, to: coverageOutput) }
  }

  /// Marks a case as failed if its result depends on rules with a standing below `--min-evidence`. Prints an error with
  /// the names of these rules.
  func checkEvidence(of report: inout Report) {
    guard let minEvidence else { return }
    let weak = report.require(minEvidence)
    guard !weak.isEmpty else { return }
    Failure.print(
      "sluice: error: rules with weaker evidence than --min-evidence \(minEvidence.rawValue): "
        + "\(weak.joined(separator: ", ")) [evidence]")
  }

  /// Returns whether the coverage reaches `--min-coverage`. If not, prints an error.
  func isEnough(_ covered: Coverage) -> Bool {
    guard let minCoverage, covered.percent < minCoverage else { return true }
    Failure.print(
      "sluice: error: coverage is \(covered.percent) %, expected \(minCoverage) % [coverage]")
    return false
  }
}
