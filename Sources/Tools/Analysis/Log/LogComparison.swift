package import Encodings
package import Model
package import Policy

/// A comparison of a policy with a device's diagnostic log.
package struct LogComparison: Sendable {
  /// The policies in the log, in log order. Never empty.
  package let blocks: [Block]

  /// A policy in the log.
  package struct Block: Sendable {
    /// The line at which the policy begins.
    package let line: Int
    /// Whether the log truncates the policy. Missing names may then be in the lost part.
    package let isTruncated: Bool
    /// The findings, sorted by name.
    package let findings: [ComparedValue]
  }

  /// The comparison of the policy's value and the log's value for one field of the log.
  package struct ComparedValue: Sendable, Hashable {
    /// The name as the SDK spells it.
    package let name: String
    package let setting: Setting
    package let result: Result
    /// The log's value, formatted for readers; nil if the log lacks the name or its value.
    package let logged: String?
    /// The log's value as the log spells it; nil if the log lacks the name.
    package let loggedText: String?
    /// The policy's value, formatted for readers; nil if the policy produces no entry.
    package let expected: String?
    /// The location at which the policy states the value; nil if Graph's default applies.
    package let place: PolicyView.Location?
    /// The line of the log that contains the name; nil if the log lacks the name.
    package let line: Int?

    fileprivate func lines(logFile: String) -> [String] {
      let logPlace = line.map { " (\(logFile):\($0))" } ?? ""
      var lines = [
        "  \(result.words): \(name), \(setting.label)",
        "    log:    \(logged ?? "nothing")\(logPlace)",
      ]
      if let expected {
        lines.append("    policy: \(expected) (\(place?.description ?? "default"))")
      }
      return lines
    }
  }

  package enum Result: String, Sendable, CaseIterable {
    case equal, differs, onlyInLog, missingFromLog

    fileprivate var words: String {
      switch self {
      case .equal: "equal"
      case .differs: "different"
      case .onlyInLog: "only in the log"
      case .missingFromLog: "missing from the log"
      }
    }
  }

  /// Whether a value in the log differs from the policy's value.
  package var hasDifferences: Bool {
    blocks.contains { $0.findings.contains { $0.result == .differs } }
  }

  /// The number of fields that the log lacks for a policy, and that were therefore not compared. If the log contains
  /// several policies, the largest such number.
  package var missingNames: Int {
    blocks.map { $0.findings.count { $0.result == .missingFromLog } }.max() ?? 0
  }

  /// Compares a policy with a log. Returns nil if the log contains none of the known names.
  package init?(of policy: EffectivePolicy, with log: [UInt8]) {
    let blocks = LogReader.blocks(in: log)
    guard !blocks.isEmpty else { return nil }
    let expected = LogField.all.map { Expectation($0.field, of: $0.setting, in: policy) }
    self.blocks = blocks.map { block in
      Block(
        line: block.line, isTruncated: block.isTruncated,
        findings: expected.compactMap { ComparedValue($0, block.entries[$0.field.name]) })
    }
  }
}

/// The value that a policy produces for one field of the log. It is computed once, because a log may have many blocks
/// and a policy may have long lists.
private struct Expectation {
  let setting: Setting
  let field: LogField
  let value: LogValue?
  let words: String?
  let isOpen: Bool
  let place: PolicyView.Location?

  init(_ field: LogField, of setting: Setting, in policy: EffectivePolicy) {
    self.setting = setting
    self.field = field
    value = field.value(policy.settings)
    words = value.map(field.words)
    isOpen = field.isOpen(policy.settings)
    let origin = ([setting] + field.otherSettings).lazy.compactMap { policy.origins[$0] }
      .first
    place = origin.map { .init(file: $0.file, line: $0.line) }
  }
}

extension LogComparison.ComparedValue {
  /// Compares a value with a log entry. Returns nil if neither side has a value.
  fileprivate init?(_ expectation: Expectation, _ entry: LogReader.Entry?) {
    let field = expectation.field
    let expected = expectation.value
    let logged = entry.flatMap { field.value(from: $0.text) }
    switch (expected, logged) {
    case (nil, nil): return nil
    case (nil, _): result = .onlyInLog
    case (_, nil): result = .missingFromLog
    case (let expected?, let logged?):
      let isEqual = field.isSame(expected, logged) || expectation.isOpen
      result = isEqual ? .equal : .differs
    }
    name = field.name
    setting = expectation.setting
    self.logged = logged.map(field.words)
    loggedText = entry?.text
    self.expected = expectation.words
    place = expectation.place
    line = entry?.line
  }
}

// MARK: - Text

extension LogComparison {
  /// Returns the comparison as text with a final line break.
  ///
  /// For each policy in the log, it lists the names with different values, the names that occur only in the log, the
  /// remaining names, and a count.
  package func text(logFile: String) -> String {
    var lines: [String] = []
    for block in blocks {
      if !lines.isEmpty { lines.append("") }
      lines.append("policy in \(logFile):\(block.line)")
      if block.isTruncated {
        lines.append(
          "  truncated: the log is cut within this policy; missing names may be in the lost part"
        )
      }
      for result in [Result.differs, .onlyInLog] {
        for finding in block.findings where finding.result == result {
          lines += finding.lines(logFile: logFile)
        }
      }
      for result in [Result.missingFromLog, .equal] { lines += block.names(of: result) }
      lines.append("  " + block.summary)
    }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n"
  }
}

extension LogComparison.Block {
  /// Returns one line with the names of the fields that have this result; empty if no field has it.
  fileprivate func names(of result: LogComparison.Result) -> [String] {
    let names = findings.filter { $0.result == result }.map(\.name)
    return names.isEmpty ? [] : ["  \(result.words): " + names.joined(separator: ", ")]
  }

  /// The number of names with each result, such as `56 equal, 1 different, 0 only in the log, 2 missing from the log`.
  fileprivate var summary: String {
    LogComparison.Result.allCases.map { result in
      "\(findings.count { $0.result == result }) \(result.words)"
    }.joined(separator: ", ")
  }
}

// MARK: - JSON

extension LogComparison {
  /// Writes the comparison as one JSON object, including equal values.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("hasDifferences", hasDifferences)
      writer.member("missingNames", missingNames)
      writer.objects("policies", of: blocks) { writer, block in
        writer.member("line", block.line)
        writer.member("truncated", block.isTruncated)
        writer.objects("names", of: block.findings) { writer, finding in
          writer.member("name", finding.name)
          writer.member("result", finding.result.rawValue)
          writer.member("label", finding.setting.label)
          writer.member("setting", finding.setting.rawValue)
          writer.member("log", finding.logged)
          writer.member("logLine", finding.line)
          writer.member("policy", finding.expected)
          writer.member("file", finding.place?.file)
          writer.member("line", finding.place?.line)
        }
      }
    }
  }
}
