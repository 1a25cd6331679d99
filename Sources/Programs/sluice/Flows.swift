internal import ArgumentParser
internal import Foundation
internal import Model
internal import Output
internal import Reports
internal import Scenario
internal import Simulation

enum FlowFormat: String, OutputFormat {
  case text, json, dot, mermaid, html
}

struct Flows: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "flows",
    abstract:
      "Show where data went: the hops between apps and devices, and the rules that allowed them.",
    discussion: """
      Reads complete journals. Specify the journals of all devices of a case to follow data between devices. Items are \
      linked by the device's tags, by its records of the pasteboard, files and extensions, and by the sources that apps \
      state. Content that a user retypes starts a new tree. Journals are not changed; the device may be running.

      In a folder written by `sluice run --output-dir`, each case is shown separately under its name, because no data \
      moves between cases. In JSON, each case is one line.

      Exit status: 0 shown; 2 there is no journal, it cannot be read, it does not contain a name, or the file cannot be \
      written; 64 usage.
      """)

  @OptionGroup var input: JournalArguments

  @Option(help: "Only data of this account: its UPN, or the part before the @.")
  var of: String?

  @Option(
    help:
      "Only chains to this guest, app with several guests, extension, bundle id, system feature or storage location, such as `print`."
  )
  var to: String?

  @Flag(
    help:
      "Only chains by which a managed account's data left the protection of all policies: to an unmanaged account's app, or out of the device."
  )
  var unmanaged = false

  @Option(help: "Format of the chains; dot is for Graphviz, html is a page.")
  var format = FlowFormat.text

  @OptionGroup var output: OutputOptions<FlowFormat>

  func perform() throws(RunError) {
    let kept = try input.kept(writing: output.paths, Self.read)
    let lineages = kept.map { Lineage(ofDevices: $0.journals.map(\.events)) }
    let objections = lineages.compactMap { $0.objection(to: query) }
    if let objection = objections.first, objections.count == lineages.count {
      throw RunError(.file(input.journals.joined(separator: ", ")), objection, rule: "flows")
    }
    let chains = zip(kept, lineages).map { ($0, $1.chains(query)) }
    let text = CitedFiles(.below(FileManager.default.currentDirectoryPath)).text
    try output.write(format) { format, _ in Self.rendered(chains, as: format, reading: text) }
  }

  /// Reads a journal. A file without events, or with several journals, is an error.
  private static func read(_ path: String) throws(RunError) -> [JournalEvent] {
    let events = try JournalFile.read(path)
    guard !events.isEmpty else {
      throw RunError(.file(path), "it contains no events", rule: "journal")
    }
    guard events.byDevice != nil || !events.dropFirst().contains(where: { $0.sequence == 1 }) else {
      throw RunError(
        .file(path),
        "the file contains several journals: event numbers begin again at 1; expected one journal",
        rule: "journal")
    }
    return events
  }

  private var query: FlowQuery {
    FlowQuery(owner: of, destination: to, reach: unmanaged ? .unmanaged : .anywhere)
  }

  /// Returns the chains of all cases as output in a format. If there are several cases, each case begins with its name.
  ///
  /// - Parameter text: Returns the text of a file that verdicts cite; nil if the page must not show it.
  private static func rendered(
    _ cases: [(kept: KeptJournals, lineage: Lineage)], as format: FlowFormat,
    reading text: @escaping (String) -> String?
  ) -> String {
    let named = cases.map { kept, lineage in
      (name: KeptJournals.heading(kept.place, kept.caseName), lineage: lineage)
    }
    let only = cases.count == 1 ? cases[0].lineage : nil
    return switch format {
    case .text:
      (only?.text ?? named.map { "\($0.name)\n\($0.lineage.text)" }.joined(separator: "\n"))
        + Lineage.legend(of: cases.lazy.map(\.lineage))
    case .json:
      only?.json
        ?? cases.map { kept, lineage in
          lineage.json(of: kept.place, suite: kept.caseName?.suite, case: kept.caseName?.name)
        }.joined()
    case .dot: only?.dot ?? Lineage.dot(of: named)
    case .mermaid: only?.mermaid ?? Lineage.mermaid(of: named)
    case .html: page(cases, reading: text)
    }
  }

  /// Returns an HTML page with the chains and a map of the apps and places.
  private static func page(
    _ cases: [(kept: KeptJournals, lineage: Lineage)], reading text: @escaping (String) -> String?
  ) -> String {
    let names = cases.map(\.kept.caseName)
    let suites = Set(names.compactMap { $0?.suite })
    let subject =
      cases.count == 1
      ? names[0]?.name ?? cases[0].kept.place : suites.count == 1 ? suites.first : nil
    var picture = Picture(
      .fixed("Where data went" + (subject.map { ": \($0)" } ?? "")), reading: text)
    for (kept, lineage) in cases {
      picture.add(lineage, of: RecordedGroup(kept.journals), at: kept.place)
    }
    return picture.page()
  }
}
