internal import Encodings
import Model
internal import Output

package enum ReportDetail: Sendable {
  /// The report contains the cases that did not pass, with their failed steps.
  case failures
  /// The report contains one line for each case, and the steps of the cases that failed or errored.
  case titles
  /// The report contains all steps of each case.
  case everything
}

extension Report {
  /// Returns the report as text with a final line break.
  ///
  /// If a step has the same result on several devices, it is shown once, with the number of devices.
  ///
  /// - Parameter mostFailures: The maximum number of distinct failures that are shown for a case's
  ///   devices; nil for all.
  package func text(
    palette: Palette = .plain, detail: ReportDetail = .titles, mostFailures: Int? = nil
  ) -> String {
    let style = TextStyle(palette: palette, detail: detail, mostFailures: mostFailures)
    var lines: [String] = []
    for suite in suites {
      let cases = suite.cases.filter { detail != .failures || $0.outcome.isFailure }
      guard !cases.isEmpty || detail != .failures else { continue }
      let place = suite.file.map { palette.faint(" (\(oneLine($0)))") } ?? ""
      lines.append(palette.strong(oneLine(suite.name)) + place)
      for result in cases {
        lines += result.lines(style, in: suite.file).map { "  " + $0 }
      }
      lines.append("")
    }
    lines.append(summary(palette))
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ palette: Palette) -> String {
    let total = suites.reduce(0) { $0 + $1.cases.count }
    guard total > 0 else { return "no cases" }
    let parts = CaseOutcome.allCases.compactMap { outcome -> String? in
      let count = count(of: outcome)
      guard count > 0 else { return nil }
      return outcome.paint(palette)("\(count) \(outcome.words)") + remark(on: outcome)
    }
    return "\(total.counting("case")): \(parts.joined(separator: ", "))"
  }

  /// Returns the number of passed cases without expectations, as a remark in parentheses. The remark is empty if there
  /// are no such cases, and for outcomes other than `passed`.
  private func remark(on outcome: CaseOutcome) -> String {
    let count = countWithoutExpectations
    guard outcome == .passed, count > 0 else { return "" }
    return " (\(count) expect\(count == 1 ? "s" : "") nothing)"
  }
}

private struct TextStyle {
  var palette: Palette
  var detail: ReportDetail
  /// The maximum number of distinct failures that are shown for a case's devices; nil for all.
  var mostFailures: Int?
}

extension CaseResult {
  fileprivate func lines(_ style: TextStyle, in file: String?) -> [String] {
    let (outcome, palette) = (outcome, style.palette)
    let remark =
      reasonNotRun.map { ": \(oneLine($0))" } ?? (expectsNothing ? " (expects nothing)" : "")
    var lines = ["\(outcome.paint(palette)(outcome.words)) \(oneLine(title))"]
    if !remark.isEmpty { lines[0] += palette.faint(remark) }
    guard outcome != .notRun, outcome != .passed || style.detail == .everything else {
      return lines
    }
    lines += StepGroup.lines(of: steps, style, in: file).map { "  " + $0 }
    if !isEnded { lines.append("  " + palette.bad("the journal ends before the case ends")) }
    guard outcome != .passed else { return lines }
    return lines + (output.linesByContent + warningLines).map { "  " + $0 }
  }

  private static let mostWarnings = 5

  /// The first warnings, and the number of remaining warnings.
  var warningLines: [String] {
    let more = warnings.count - Self.mostWarnings
    return warnings.prefix(Self.mostWarnings).map(oneLine)
      + (more > 0 ? ["\(more.counting("more warning")) about the scenario's files"] : [])
  }

  /// The guests' output. Each guest's output is below the guest's name.
  var outputLines: [String] { output.flatMap { $0.lines(titled: $0.title) } }
}

extension GuestOutput {
  fileprivate func lines(titled title: String) -> [String] {
    [oneLine(title)] + lines.map { "  " + oneLine($0) }
  }
}

extension CaseOutcome {
  fileprivate var isFailure: Bool {
    switch self {
    case .failed, .errored: true
    case .passed, .notRun: false
    }
  }

  fileprivate func paint(_ palette: Palette) -> Palette.Paint {
    switch self {
    case .passed: palette.good
    case .failed, .errored: palette.bad
    case .notRun: palette.faint
    }
  }
}

// MARK: - Steps

extension StepResult {
  /// Returns the step as lines: its action, each verdict with its reasons, the notes, the failures, and
  /// the expectations that were not met.
  ///
  /// - Parameter file: The scenario file; nil if unknown.
  func lines(_ palette: Palette, in file: String?) -> [String] {
    lines(titled: text, palette, in: file)
  }

  fileprivate func lines(
    titled title: String, _ palette: Palette, in file: String?
  ) -> [String] {
    var lines = ["\(number). \(oneLine(title))"]
    for request in requests { lines += request.lines(palette).map { "   " + $0 } }
    lines += notes.map { "   " + palette.faint(oneLine($0)) }
    lines += failures.map { "   " + complaint($0, at: position, palette, in: file) }
    for expectation in expectations where !expectation.isMet {
      lines.append(
        "   " + complaint(expectation.text, at: expectation.position, palette, in: file))
    }
    return lines
  }

  private func complaint(
    _ text: String, at position: Position?, _ palette: Palette, in file: String?
  ) -> String {
    let place = position?.place(in: file).map { "\(oneLine($0)): " } ?? ""
    return place + palette.bad(oneLine(text))
  }
}

// MARK: - Several devices

/// Steps with the same number and the same result on different devices.
private struct StepGroup {
  let first: StepResult
  var devices: [String]

  private static let mostNames = 3
  /// The maximum number of distinct results that are shown for a successful step of a case that did not pass.
  private static let mostSuccesses = 3

  /// Returns the steps as lines. Devices on which a step has the same result share the step's lines.
  static func lines(
    of steps: [StepResult], _ style: TextStyle, in file: String?
  ) -> [String] {
    var lines: [String] = []
    var (shown, hidden) = (0, [StepGroup]())
    var rest = steps[...]
    while let step = rest.first {
      let same = rest.prefix { $0.number == step.number }
      rest = rest[same.endIndex...]
      let groups = groups(of: same, in: file)
      for group in groups where !group.first.holds {
        if let most = style.mostFailures, !group.devices.isEmpty, shown >= most {
          hidden.append(group)
        } else {
          shown += group.devices.isEmpty ? 0 : 1
          lines += group.lines(style.palette, in: file)
        }
      }
      lines += successes(among: groups, style, in: file)
    }
    guard !hidden.isEmpty else { return lines }
    let devices = Set(hidden.flatMap(\.devices)).count
    let more = "\(hidden.count.counting("more distinct failure")), on \(devices.counting("device"))"
    return lines + [style.palette.bad(more)]
  }

  /// Returns the lines about the results that meet a step's expectation.
  private static func successes(
    among groups: [StepGroup], _ style: TextStyle, in file: String?
  ) -> [String] {
    let groups = groups.filter(\.first.holds)
    switch style.detail {
    case .failures: return []
    case .everything: return groups.flatMap { $0.lines(style.palette, in: file) }
    case .titles:
      let spread = groups.filter { !$0.devices.isEmpty }
      let shown = groups.filter(\.devices.isEmpty) + spread.prefix(mostSuccesses)
      let lines = shown.flatMap { $0.lines(style.palette, in: file) }
      let more = spread.dropFirst(mostSuccesses)
      guard let first = more.first else { return lines }
      let devices = title(of: more.flatMap(\.devices))
      return lines + ["\(first.first.number). \(devices): as expected"]
    }
  }

  private static func groups(
    of steps: ArraySlice<StepResult>, in file: String?
  ) -> [StepGroup] {
    var groups: [StepGroup] = []
    var places: [[UInt8]: Int] = [:]
    for step in steps {
      guard let device = step.device else {
        groups.append(StepGroup(first: step, devices: []))
        continue
      }
      let content = step.withoutDevice.lines(.plain, in: file).joined(separator: "\n")
        .bytes(replacing: device)
      if let place = places[content] {
        groups[place].devices.append(device)
      } else {
        places[content] = groups.count
        groups.append(StepGroup(first: step, devices: [device]))
      }
    }
    return groups
  }

  private func lines(_ palette: Palette, in file: String?) -> [String] {
    guard devices.count > 1 else { return first.lines(palette, in: file) }
    let title = "\(Self.title(of: devices)): \(first.withoutDevice.text)"
    return first.lines(titled: title, palette, in: file)
  }

  /// Returns the number of names, and the first few of them, such as `936× e-1, e-2, e-3 and 933 more`.
  static func title(of names: [String]) -> String {
    "\(names.count)× \(ListFormat.first(mostNames, of: names))"
  }
}

extension [GuestOutput] {
  /// The output as lines. If guests with the same name on several devices have equal output, the output is shown once.
  fileprivate var linesByContent: [String] {
    var groups: [(output: GuestOutput, guests: [String])] = []
    var places: [[UInt8]: Int] = [:]
    for output in self {
      // If there are several devices, the guest's name follows the device's name.
      let parts = output.guest.split(separator: "/", maxSplits: 1).map(String.init)
      let device = parts.count > 1 ? parts[0] : ""
      let content = ([output.guest, "\(output.count)"] + output.lines).joined(separator: "\n")
        .bytes(replacing: device)
      if let place = places[content] {
        groups[place].guests.append(output.guest)
      } else {
        places[content] = groups.count
        groups.append((output, [output.guest]))
      }
    }
    return groups.flatMap { output, guests in
      let title = guests.count > 1 ? output.named(StepGroup.title(of: guests)).title : output.title
      return output.lines(titled: title)
    }
  }
}

extension String {
  /// Returns the text's bytes with `name`, the device's name, replaced by a zero byte. Texts that differ only in this
  /// name therefore have equal bytes.
  fileprivate func bytes(replacing name: String) -> [UInt8] {
    let (text, name) = (Array(utf8), Array(name.utf8))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let end = index + name.count
      let isName =
        !name.isEmpty && text[index] == name[0] && text[index...].starts(with: name)
        && bytes.last?.isPartOfName != true
        && !(end < text.count && text[end].isPartOfName)
      bytes.append(isName ? 0 : text[index])
      index = isName ? end : index + 1
    }
    return bytes
  }
}

extension UInt8 {
  /// Whether the byte may be part of a device's name. The check keeps `e-1` from matching in `e-10`.
  fileprivate var isPartOfName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default:  // open: any other byte
      false
    }
  }
}

// MARK: - Requests

extension RequestResult {
  fileprivate func lines(_ palette: Palette) -> [String] {
    let verdict = decision.verdict
    var head =
      "\(decision.operation.rawValue) "
      + palette.strong("\(verdict.outcome.rawValue) by \(verdict.deciding.rawValue)")
    if let end { head += ", \(end.words)" }
    if let detail { head += ": \(oneLine(detail))" }
    var lines = [head]
    if let sender = decision.sender {
      lines.append("  " + palette.faint("from \(oneLine(sender.text))"))
    }
    if let receiver = decision.receiver {
      lines.append("  " + palette.faint("to \(oneLine(receiver.text))"))
    }
    if let returned { lines.append("  handed back \(oneLine(Excerpt(returned).words))") }
    for (index, reason) in verdict.reasons.enumerated() {
      let remark = reason.remark(isDeciding: index == verdict.decidingIndex)
      lines += reason.lines(palette, remark).map { "  " + $0 }
    }
    for change in verdict.changes {
      lines.append("  " + palette.faint("for another answer: ") + oneLine(change))
    }
    return lines
  }
}

extension Explanation {
  fileprivate func lines(_ palette: Palette, _ remark: String) -> [String] {
    var lines = ["\(palette.strong(rule.rawValue)) (\(side.rawValue)): \(oneLine(text))\(remark)"]
    let choice = [label, value].compactMap(\.self).joined(separator: ": ")
    if !choice.isEmpty { lines.append("  " + oneLine(choice)) }
    let place = [setting, source].compactMap(\.self).joined(separator: ", ")
    if !place.isEmpty { lines.append("  " + palette.faint(oneLine(place))) }
    return lines
  }
}

extension Participant {
  /// The guest with its app and its identity, such as `mail (com.contoso.mail), managed account anna@contoso.com`.
  fileprivate var text: String {
    let who =
      switch identity {
      case nil: "no identity"
      case "": "unknown account"
      case let upn?: "\(isManaged ? "managed" : "unmanaged") account \(upn)"
      }
    return "\(guest) (\(app)), \(who)"
  }
}

extension RequestEnd {
  fileprivate var words: String { self == .deliveredEncrypted ? "delivered encrypted" : rawValue }
}

/// Returns the text with spaces in place of unprintable characters and line breaks. The text may
/// come from guests, and terminals interpret control characters.
func oneLine(_ text: String) -> String { text.printable(replacing: " ") }

// MARK: - Palette

/// The text styles of a report. They are plain by default. A caller that knows the terminal can set other styles.
package struct Palette: Sendable {
  /// A function that adds a style to a text.
  package typealias Paint = @Sendable (String) -> String

  package var good: Paint
  package var bad: Paint
  /// The style for verdicts, rules and titles.
  package var strong: Paint
  /// The style for details.
  package var faint: Paint

  package init(
    good: @escaping Paint, bad: @escaping Paint, strong: @escaping Paint, faint: @escaping Paint
  ) {
    self.good = good
    self.bad = bad
    self.strong = strong
    self.faint = faint
  }

  package static let plain = Palette(good: { $0 }, bad: { $0 }, strong: { $0 }, faint: { $0 })
}
