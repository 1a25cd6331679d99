public import JSON

/// A fact about a file that its author should know.
public struct Finding<Rule: FindingRule>: Sendable, Equatable, CustomStringConvertible {
  public var rule: Rule
  public var severity: Severity
  /// The file, as the user named it.
  public var file: String
  /// The place in the file; nil in a file without lines, and where the whole file is meant.
  public var position: Position?
  /// The message: lower case, no full stop, the text that was found in backticks.
  public var message: String
  /// The text to write instead; nil where there is no single answer.
  public var suggestion: String?
  /// The changes that ``FindingRule/repairCommand`` makes.
  public var repairs: [Rule.Repair]
  /// The repairs as text to put into the file; empty for a file without lines.
  public var replacements: [TextReplacement] = []

  /// Makes a finding of `rule`.
  ///
  /// - Parameter severity: the severity; nil for the rule's own.
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
    let place: Diagnostic.Place = position.map { .file(file, $0) } ?? .path(file)
    return Diagnostic(place, message + hint, rule: rule.code, severity: severity)
  }

  /// `file:line:column: warning: message [code]`.
  public var description: String { diagnostic.description }

  var hint: String { Suggestion.text(suggestion) }
}

/// New text in place of a part of a file.
public struct TextReplacement: Sendable, Equatable {
  /// The start of the replaced text.
  public var start: Position
  /// The end of the replaced text; `start` where nothing is replaced.
  public var end: Position
  public var text: String

  /// A replacement of the text from `start` to `end`.
  public init(start: Position, end: Position, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }
}

/// A rule that a lint command checks.
public protocol FindingRule: Sendable, Hashable {
  /// The change by which a command repairs a finding.
  associatedtype Repair: Sendable, Equatable = Never

  /// The rule's code in one word, as findings cite it.
  var code: String { get }
  /// The usual severity; a finding can differ.
  var severity: Severity { get }
  /// The fault that the rule looks for, as a heading.
  var summary: String { get }
  /// The remedy; empty where the message states it.
  var help: String { get }

  /// Whether most files have a finding of the rule in that severity; the text output shows only the first.
  func isRoutine(at severity: Severity) -> Bool

  /// Every rule, in the order of the documentation.
  static var all: [Self] { get }
  /// The command that carries out repairs; nil where there is none.
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

/// The findings about several files.
public struct FindingReport<Rule: FindingRule>: Sendable {
  public let findings: [Finding<Rule>]

  /// A report of `findings`.
  public init(_ findings: [Finding<Rule>]) { self.findings = findings }

  /// Whether a finding has the severity `severity`, or a worse one.
  public func hasFindings(from severity: Severity) -> Bool {
    findings.contains { $0.severity >= severity }
  }

  /// The findings as compilers print them, one a line; below the first of each rule, indented, its help. Of findings
  /// that most files have, the first stands for all. The last line counts every finding. Ends with a line break.
  public var text: String {
    var lines: [String] = []
    var explained: Set<String> = []
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
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The counts, such as `1 error, 2 warnings, 0 notes`, and how many can be repaired.
  private var summary: String {
    let counts = Severity.allCases.reversed().map { severity in
      let count = findings.count { $0.severity == severity }
      return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
    let fixable = findings.count { !$0.repairs.isEmpty }
    guard fixable > 0, let command = Rule.repairCommand else { return counts }
    return "\(counts); `\(command)` puts \(fixable) right"
  }
}

extension FindingReport {
  /// Writes the findings as one JSON object.
  public func writeJSON(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("findings") { writer in
        for finding in findings {
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
          }
        }
      }
    }
  }
}
