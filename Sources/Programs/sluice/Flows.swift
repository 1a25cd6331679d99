internal import ArgumentParser
internal import Diagnostics
internal import Lineage
internal import Model
internal import Scenario
internal import Simulation

/// The format in which flows are printed.
enum FlowFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, dot, mermaid
}

struct Flows: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flows",
    abstract:
      "Show where data went on a device, or from device to device: who has whose, by which hops, and which rule let each through.",
    discussion: """
      Reads journals, from the beginning to the end: of several devices all, so that what passed between them is followed, \
      too. Items are linked by the tags that the device has sealed, by its records of pasteboard, files and \
      extensions, and by what apps say of what they were handed. \
      What a user types in anew is nobody's. Nothing is changed; the device may be running.

      Exit status: 0 shown, 2 there is no journal, or it cannot be read, nobody and no place in it has \
      such a name, or the file cannot be written, 64 usage.
      """)

  @Argument(
    help:
      "Journals, names of running devices, folders of devices, or a folder of such folders.",
    completion: .runningDevices)
  var journals: [String]

  @Option(help: "Only data of this account: its UPN, or what stands before the @.")
  var of: String?

  @Option(
    help:
      "Only chains to this guest, app of several guests, extension, bundle id, feature of the system or storage location, such as `print`."
  )
  var to: String?

  @Flag(
    help:
      "Only chains by which data of managed accounts came where no policy holds: to apps that act for unmanaged accounts, or out of the device."
  )
  var unmanaged = false

  @Option(help: "Format of the chains; dot is for Graphviz.")
  var format = FlowFormat.text

  @Option(
    name: .shortAndLong, help: "Write to this file instead of standard output.", completion: .file()
  )
  var output: String?

  func run() throws {
    do throws(RunError) {
      var events: [[JournalEvent]] = []
      for path in journals.flatMap(JournalArgument.paths) { events += try read(path) }
      try check(events)
      let lineage = Lineage(ofDevices: events)
      if let objection = lineage.objection(to: query) {
        throw RunError(.file(journals.joined(separator: ", ")), objection, rule: "flows")
      }
      let text = rendered(lineage.chains(query))
      guard let output else { return print(text, terminator: "") }
      try TextFile.write(text, to: output)
    } catch {
      throw Failure.report(error)
    }
  }

  /// The events of each device of which there is a journal in a file.
  private func read(_ path: String) throws(RunError) -> [[JournalEvent]] {
    try JournalArgument.checkIsNoScenario(path)
    let events = try JournalFile.read(path)
    guard !events.isEmpty else {
      throw RunError(.file(path), "there is no event in it", rule: "journal")
    }
    try JournalArgument.check(output, isNot: path)
    // As `sluice run --keep-failures` leaves them.
    if let devices = events.byDevice { return devices.map { Array($0.events) } }
    guard !events.dropFirst().contains(where: { $0.sequence == 1 }) else {
      throw RunError(
        .file(path), "there are several journals in it: an event in the middle has the number 1",
        rule: "journal")
    }
    return [events]
  }

  /// Checks that journals are of several devices, which were together in one case.
  private func check(_ journals: [[JournalEvent]]) throws(RunError) {
    guard journals.count > 1 else { return }
    var known: Set<String> = []
    for device in journals.compactMap(\.device) where !known.insert(device).inserted {
      throw RunError(
        .file(self.journals.joined(separator: ", ")),
        "two journals are of the device `\(device)`; name those of one case", rule: "journal")
    }
    guard let first = journals.first?.cases, journals.contains(where: { $0.cases != first }) else {
      return
    }
    throw RunError(
      .file(self.journals.joined(separator: ", ")),
      "the journals are of different cases, between which nothing passes", rule: "journal")
  }

  private var query: FlowQuery {
    FlowQuery(owner: of, destination: to, reach: unmanaged ? .unmanaged : .anywhere)
  }

  private func rendered(_ lineage: Lineage) -> String {
    switch format {
    case .text: lineage.text
    case .json: lineage.json
    case .dot: lineage.dot
    case .mermaid: lineage.mermaid
    }
  }
}

extension [JournalEvent] {
  /// The name of the device; nil: it has not come up.
  fileprivate var device: String? {
    lazy.compactMap { if case .deviceStarted(let device, _) = $0.kind { device } else { nil } }
      .first
  }

  /// The cases that it tells of.
  fileprivate var cases: [String] {
    compactMap {
      if case .caseBegan(let suite, let name, _) = $0.kind { "\(suite): \(name)" } else { nil }
    }
  }
}
