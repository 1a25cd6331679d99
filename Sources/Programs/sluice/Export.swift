internal import ArgumentParser
internal import Foundation
internal import Output
internal import Reports
internal import Scenario
internal import Simulation

/// A file format that other viewers read.
enum ExportFormat: String, OutputFormat {
  case perfetto, otlp, dot, mermaid, allure

  /// The format's description for the help text.
  fileprivate var purpose: String {
    switch self {
    case .perfetto: "a trace for ui.perfetto.dev"
    case .otlp: "OpenTelemetry traces as JSON"
    case .dot: "the flow map for Graphviz"
    case .mermaid: "the flow map for Mermaid"
    case .allure: "a new folder of Allure results, one for each case"
    }
  }

  /// Whether the format can be written only to a file or folder, not to standard output.
  fileprivate var needsFile: Bool {
    switch self {
    case .perfetto, .allure: true
    case .otlp, .dot, .mermaid: false
    }
  }
}

struct Export: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Convert journals to the formats of other viewers, such as Perfetto or Graphviz.",
    discussion: """
      \(ExportFormat.allCases.map { "\($0.rawValue): \($0.purpose)" }.joined(separator: "\n"))

      perfetto and allure need --output; the others go to standard output without it.

      Exit status: 0 written, 2 there is no journal, or nothing can be read or written, 64 usage.
      """)

  @OptionGroup var input: JournalArguments

  @Option(help: "The format, if `--output` does not imply it.")
  var format: ExportFormat?

  @OptionGroup var output: OutputOptions<ExportFormat>

  func validate() throws {
    guard format != nil || output.output.allSatisfy({ $0.format != nil }),
      format != nil || !output.output.isEmpty
    else {
      let formats = ExportFormat.allCases.map { "\n  \($0.rawValue): \($0.purpose)" }.joined()
      throw ValidationError("--format is needed, or a format in `--output FORMAT=PATH`:\(formats)")
    }
    let printed = output.output.filter { $0.destination == .standardOutput }
    let formats = output.output.isEmpty ? [format] : printed.map { $0.format ?? format }
    for case let format? in formats where format.needsFile {
      throw ValidationError("--format \(format.rawValue) needs --output")
    }
  }

  func perform() throws(RunError) {
    let groups = try input.read(writing: output.paths)
    try output.targets(format ?? .standard).forEach { format, destination throws(RunError) in
      try write(groups, as: format, to: destination)
    }
  }

  private func write(
    _ groups: [RecordedGroup], as format: ExportFormat, to destination: OutputDestination
  ) throws(RunError) {
    let journals = groups.flatMap(\.journals)
    switch format {
    case .perfetto:
      try TextFile.write(Data(PerfettoTrace(journals).bytes), to: destination.path ?? "")
    case .otlp:
      try destination.write(OpenTelemetryTraces(groups, version: Version.current).json)
    case .dot: try destination.write(Self.graph(of: journals).dot)
    case .mermaid: try destination.write(Self.graph(of: journals).mermaid)
    case .allure: try write(AllureResults(groups), to: destination.path ?? "")
    }
  }

  private static func graph(of journals: [RecordedJournal]) -> FlowGraph {
    journals.reduce(into: FlowGraph()) { $0.add($1.events) }
  }

  private func write(_ results: AllureResults, to folder: String) throws(RunError) {
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw RunError(.path(folder), "the folder already exists; specify a new one", rule: "file")
    }
    guard !results.files.isEmpty else {
      throw RunError(.file(input.journals[0]), "it contains no cases", rule: "journal")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RunError(.path(folder), "cannot create the folder: \(error)", rule: "file")
    }
    for file in results.files { try TextFile.write(file.text, to: "\(folder)/\(file.name)") }
  }
}
