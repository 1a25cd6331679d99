internal import ArgumentParser
internal import Encodings
internal import Host
internal import Scenario
internal import Simulation

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check how well this machine confines apps, and list the necessary changes.",
    discussion: """
      Queries the kernel, and starts sluice-guest and sluice-launch as devices do. The machine is not changed.

      Exit status: 0 confinement is complete, 1 it is not, 2 the report cannot be written, 64 usage.
      """)

  @Option(
    help: ArgumentHelp(
      "The number of apps that the machine must run at the same time.", valueName: "n"))
  var guests = 10_000

  @Option(help: "Format of the report.")
  var format = TextFormat.text

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  func validate() throws {
    guard (1...1_000_000).contains(guests) else {
      throw ValidationError("--guests must be 1 to 1000000, found \(guests)")
    }
  }

  func run() throws {
    let examination = MachineExamination(MachineProbe(.installed()).facts(), guests: guests)
    print(rendered(examination), terminator: "")
    if !examination.isComplete { throw Failure.expectation }
  }

  private func rendered(_ examination: MachineExamination) -> String {
    switch format {
    case .text: DoctorText(examination: examination, palette: color.palette).text
    case .json: JSONWriter.line { examination.write(to: &$0) }
    }
  }
}

private struct DoctorText {
  let examination: MachineExamination
  let palette: Palette

  /// The report about the machine. It ends with a line break.
  var text: String {
    let parts = [table, changes, remainder, [summary]].filter { !$0.isEmpty }
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  // MARK: Promises

  private static let stateWidth = 6
  private static let titleWidth = 22

  private var table: [String] { examination.findings.flatMap(lines(of:)) }

  private func lines(of finding: PromiseFinding) -> [String] {
    let state = Self.padded(finding.state.rawValue, to: Self.stateWidth)
    let title = Self.padded(finding.promise.title, to: Self.titleWidth)
    let indentation = String(repeating: " ", count: Self.stateWidth + Self.titleWidth + 4)
    return ["\(paint(finding.state)(state))  \(palette.strong(title))  \(finding.finding)"]
      + (finding.open.map { [palette.faint("\(indentation)open: \($0)")] } ?? [])
  }

  private func paint(_ state: PromiseFinding.State) -> Palette.Paint {
    switch state {
    case .kept: palette.good
    case .partly, .not: palette.bad
    case .unused: palette.faint
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  // MARK: Changes and remarks

  /// The recommended changes to the machine: a heading and a line for each change, with the guarantees that need it.
  /// Empty if none is needed.
  private var changes: [String] {
    var titles: [String: [String]] = [:]
    var order: [String] = []
    for finding in examination.findings {
      guard let change = finding.change else { continue }
      if titles[change] == nil { order.append(change) }
      titles[change, default: []].append(finding.promise.title)
    }
    guard !order.isEmpty else { return [] }
    return [palette.strong("To change")]
      + order.map { "  for \(titles[$0, default: []].joined(separator: ", ")): \($0)" }
  }

  private var remainder: [String] {
    [palette.strong("Open on every machine")] + examination.remainder.map { "  \($0)" }
  }

  private var summary: String {
    let count = examination.findings.filter { !$0.isComplete }.count
    switch count {
    case 0: return palette.good("all guarantees hold")
    case 1: return palette.bad("1 guarantee does not hold fully")
    default:  // open: any other number
      return palette.bad("\(count) guarantees do not hold fully")
    }
  }
}
