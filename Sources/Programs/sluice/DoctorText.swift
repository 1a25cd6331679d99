internal import Host
internal import Scenario

/// The text of `sluice doctor`.
struct DoctorText {
  private let examination: MachineExamination
  private let palette: Palette

  init(_ examination: MachineExamination, _ palette: Palette) {
    self.examination = examination
    self.palette = palette
  }

  /// Ends with a line break.
  var text: String {
    let parts = [table, changes, remainder, [summary]].filter { !$0.isEmpty }
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  // MARK: promises

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

  // MARK: what follows

  /// Each change once, with the promises that it serves.
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
    case 0: return palette.good("all is kept")
    case 1: return palette.bad("1 promise is not kept in full")
    default:  // open: any other number
      return palette.bad("\(count) promises are not kept in full")
    }
  }
}
