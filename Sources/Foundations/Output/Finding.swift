public import Encodings

/// A lint result: a problem or fact about a file, for its author.
public struct Finding<Rule: FindingRule>: Sendable, Equatable, CustomStringConvertible {
  public var rule: Rule
  public var severity: Severity
  /// The file name as the user wrote it.
  public var file: String
  /// The position in the file; nil for a binary file or a folder, or if the finding is about the whole file.
  public var position: Position?
  /// The message: lower case, no full stop, quoted input in backticks.
  public var message: String
  /// The word that the author probably meant; nil if there is none.
  public var suggestion: String?
  /// The changes that ``FindingRule/repairCommand`` applies.
  public var repairs: [Rule.Repair]
  /// The repairs as text replacements; empty for a binary file.
  public var replacements: [TextReplacement] = []

  /// Creates a finding. If `severity` is nil, the finding has the rule's default severity.
  public init(
    _ rule: Rule, _ severity: Severity? = nil, file: String, at position: Position?,
    _ message: String, suggestion: String? = nil, repairs: [Rule.Repair] = []
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.file = file
    self.position = position
    self.message = message
    self.suggestion = suggestion
    self.repairs = repairs
  }

  public var diagnostic: Diagnostic {
    let place: Diagnostic.Location = position.map { .file(file, $0) } ?? .path(file)
    return Diagnostic(place, message + hint, rule: rule.code, severity: severity)
  }

  /// `file:line:column: warning: message [code]`, without line and column if there is no position.
  public var description: String { diagnostic.description }

  var hint: String { Suggestion.text(suggestion) }

  /// Returns the findings in the order of their positions. Findings without a position come first; findings at one
  /// position keep their order.
  ///
  /// - Parameter first: The file whose findings precede those of other files; nil if all findings are about one file.
  package static func inOrder(_ findings: [Finding], first: String? = nil) -> [Finding] {
    let key = { (one: (offset: Int, element: Finding)) in
      (
        first == nil || one.element.file == first ? 0 : 1, one.element.position?.line ?? 0,
        one.element.position?.column ?? 0, one.offset
      )
    }
    return findings.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }
}

/// A replacement of a part of a file.
public struct TextReplacement: Sendable, Equatable {
  /// The start of the replaced text.
  public var start: Position
  /// The end of the replaced text; equal to `start` for an insertion.
  public var end: Position
  public var text: String

  /// Creates a replacement of the text from `start` to `end`.
  public init(start: Position, end: Position, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }
}

/// A rule that a lint command checks.
public protocol FindingRule: Sendable, Hashable {
  /// A repair of a finding, applied by ``repairCommand``.
  associatedtype Repair: Sendable, Equatable = Never

  /// The rule's code, printed with findings.
  var code: String { get }
  /// The default severity; a finding can override it.
  var severity: Severity { get }
  /// The problem that the rule detects, as a heading.
  var summary: String { get }
  /// Advice on how to correct the problem; empty if the findings' messages contain it.
  var help: String { get }

  /// Returns whether findings of this rule with this severity are routine: most files have one. The text output shows
  /// only the first routine finding of each rule.
  func isRoutine(at severity: Severity) -> Bool

  /// All rules, in the order of the documentation.
  static var all: [Self] { get }
  /// The command that applies repairs; nil if there is none.
  static var repairCommand: String? { get }
}

extension FindingRule {
  public static var repairCommand: String? { nil }

  public func isRoutine(at severity: Severity) -> Bool { false }
}

extension FindingRule where Self: RawRepresentable<String> & CaseIterable {
  public var code: String { rawValue }

  public static var all: [Self] { Array(allCases) }
}

/// The findings in several files, optionally compared with a baseline.
public struct FindingReport<Rule: FindingRule>: Sendable {
  public let findings: [Finding<Rule>]
  /// The findings of the baseline that are not among ``findings``; nil without a baseline.
  public let resolved: [Finding<Rule>]?
  /// The states of ``findings``; empty without a baseline.
  private let states: [BaselineState]

  /// The result of comparing a finding with a baseline, in SARIF's terms.
  enum BaselineState: String {
    case new, unchanged, absent
  }

  /// Creates a report without a baseline.
  public init(_ findings: [Finding<Rule>]) {
    self.findings = findings
    resolved = nil
    states = []
  }

  /// Creates a report that compares `findings` with those of a baseline. It marks each finding as new or unchanged, and
  /// lists the resolved findings of the baseline. Findings with different messages are different findings.
  public init(_ findings: [Finding<Rule>], since baseline: [Finding<Rule>]) {
    self.findings = findings
    let known = Set(baseline.map(\.description))
    states = findings.map { known.contains($0.description) ? .unchanged : .new }
    let remaining = Set(findings.map(\.description))
    resolved = baseline.filter { !remaining.contains($0.description) }
  }

  /// Returns the state of the finding at `index`; nil without a baseline.
  func state(of index: Int) -> BaselineState? { states.isEmpty ? nil : states[index] }

  private func findings(_ state: BaselineState) -> [Finding<Rule>] {
    zip(findings, states).filter { $1 == state }.map(\.0)
  }

  /// Returns whether there is a finding with at least this severity.
  public func hasFindings(from severity: Severity) -> Bool {
    findings.contains { $0.severity >= severity }
  }

  /// The findings in compiler format, one per line, with a final line break. The first finding of each rule is
  /// followed by its help, indented. Only the first routine finding of each rule is shown. The last line
  /// contains the counts of all findings. With a baseline, resolved, new and unchanged findings are separate
  /// sections.
  public var text: String {
    var lines: [String] = []
    var explained: Set<String> = []
    if let resolved {
      let sections = [
        ("Resolved", resolved), ("New", findings(.new)), ("Unchanged", findings(.unchanged)),
      ]
      for (heading, findings) in sections where !findings.isEmpty {
        lines += [heading] + Self.lines(of: findings, &explained) + [""]
      }
    } else {
      lines = Self.lines(of: findings, &explained)
    }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the text output for `findings`. The help of each rule is printed once.
  ///
  /// - Parameter explained: The rules whose help has already been printed.
  private static func lines(
    of findings: [Finding<Rule>], _ explained: inout Set<String>
  ) -> [String] {
    var lines: [String] = []
    var routine: [String: Int] = [:]
    for finding in findings where finding.rule.isRoutine(at: finding.severity) {
      routine[finding.rule.code, default: 0] += 1
    }
    for finding in findings {
      let isRoutine = finding.rule.isRoutine(at: finding.severity)
      guard !isRoutine || routine[finding.rule.code] != nil else { continue }
      lines.append(finding.description)
      if isRoutine, let count = routine.removeValue(forKey: finding.rule.code), count > 1 {
        lines.append("  and \(count - 1) more like it; `--format json` lists all")
      }
      let help = finding.rule.help
      if !help.isEmpty, explained.insert(finding.rule.code).inserted {
        lines.append("  help: \(help)")
      }
    }
    return lines
  }

  /// The counts, such as `1 error, 2 warnings, 0 notes`. With a baseline, the numbers of new and resolved findings
  /// follow. Without a baseline, the number of repairable findings follows, if there are any.
  private var summary: String {
    let counts = Severity.allCases.reversed().map { severity in
      let count = findings.count { $0.severity == severity }
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
    if let resolved {
      return counts + "; \(findings(.new).count) new, \(resolved.count) resolved"
    }
    let fixable = findings.count { !$0.repairs.isEmpty }
    guard fixable > 0, let command = Rule.repairCommand else { return counts }
    return "\(counts); `\(command)` fixes \(fixable)"
  }

  /// Writes the findings as one JSON object. With a baseline, each finding has `isNew`, and
  /// `resolved` lists the resolved findings.
  public func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("findings") { writer in
        for (index, finding) in findings.enumerated() {
          write(finding, isNew: state(of: index).map { $0 == .new }, to: &writer)
        }
      }
      if let resolved {
        writer.array("resolved", of: resolved) { write($1, isNew: nil, to: &$0) }
      }
    }
  }

  private func write(_ finding: Finding<Rule>, isNew: Bool?, to writer: inout JSONWriter) {
    writer.object {
      $0.member("code", finding.rule.code)
      $0.member("severity", finding.severity.rawValue)
      $0.member("file", finding.file)
      $0.member("line", finding.position?.line)
      $0.member("column", finding.position?.column)
      $0.member("message", finding.message)
      $0.member("suggestion", finding.suggestion)
      $0.member("help", finding.rule.help)
      if Rule.repairCommand != nil { $0.member("isFixable", !finding.repairs.isEmpty) }
      if let isNew { $0.member("isNew", isNew) }
    }
  }
}
