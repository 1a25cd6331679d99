internal import ArgumentParser
internal import Foundation
internal import Model
internal import Output
internal import Reports
internal import Scenario
internal import Simulation

/// The format of another viewer.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  case perfetto, otlp, dot, mermaid, allure
}

struct Export: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write journals in formats that other viewers open.",
    discussion: """
      perfetto is a trace for ui.perfetto.dev; otlp are traces of OpenTelemetry as JSON; dot and mermaid are the flow map for \
      Graphviz and Mermaid; allure is a folder of results for Allure, one for each case.

      Exit status: 0 written, 2 there is no journal, or nothing can be read or written, 64 usage.
      """)

  @OptionGroup var input: JournalArguments

  @Option(
    help:
      "The format, which is needed: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))."
  )
  var format: ExportFormat?

  @Option(
    name: .shortAndLong,
    help:
      "The file, or for allure the new folder; perfetto and allure need it, the others go to standard output without it.",
    completion: .file())
  var output: String?

  func validate() throws {
    guard let format else {
      let formats = ExportFormat.allCases.map(\.rawValue)
      throw ValidationError("--format is needed: \(Phrase.any(of: formats)).")
    }
    if output == nil, format == .perfetto || format == .allure {
      throw ValidationError("--format \(format.rawValue) needs --output.")
    }
  }

  func perform() throws(RunError) {
    guard let format else { return }
    try write(input.read(writing: output), as: format)
  }

  private func write(
    _ groups: [RecordedGroup], as format: ExportFormat
  ) throws(RunError) {
    let journals = groups.flatMap(\.journals)
    switch format {
    case .perfetto:
      try TextFile.write(Data(PerfettoTrace(journals).bytes), to: output ?? "")
    case .otlp:
      try show(OpenTelemetryTraces(groups, version: Version.current).json)
    case .dot: try show(Self.graph(of: journals).dot)
    case .mermaid: try show(Self.graph(of: journals).mermaid)
    case .allure: try write(AllureResults(groups), to: output ?? "")
    }
  }

  private static func graph(of journals: [RecordedJournal]) -> FlowGraph {
    journals.reduce(into: FlowGraph()) { $0.add($1.events) }
  }

  private func show(_ text: String) throws(RunError) {
    guard let output else { return print(text, terminator: "") }
    try TextFile.write(text, to: output)
  }

  private func write(_ results: AllureResults, to folder: String) throws(RunError) {
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw RunError(.file(folder), "the folder exists already; name a new one", rule: "file")
    }
    guard !results.files.isEmpty else {
      throw RunError(.file(input.journals[0]), "there is no case in it", rule: "journal")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RunError(.file(folder), "cannot make the folder: \(error)", rule: "file")
    }
    for file in results.files { try TextFile.write(file.text, to: "\(folder)/\(file.name)") }
  }
}
