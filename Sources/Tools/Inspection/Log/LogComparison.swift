public import Model
public import Policy

/// A comparison of a policy with the diagnostic log of a device.
public struct LogComparison: Sendable {
  /// The policies in the log, in its order; at least one.
  public let blocks: [Block]

  /// One policy of the log.
  public struct Block: Sendable {
    /// The line of the log at which the policy begins.
    public let line: Int
    /// Whether the log cuts off the policy: missing names may be in the lost part.
    public let isTruncated: Bool
    /// The findings, in alphabetical order of names.
    public let findings: [Finding]
  }

  /// The comparison of the values of one name.
  public struct Finding: Sendable, Hashable {
    /// The name in the SDK's spelling.
    public let name: String
    public let setting: Setting
    public let result: Result
    /// The log's value in words; nil where the log lacks the name, or the value.
    public let logged: String?
    /// The policy's value in words; nil where the policy leads to no entry.
    public let expected: String?
    /// The place where the policy states the setting; nil where Graph's default holds.
    public let place: PolicyView.Place?
    /// The line of the log with the name; nil where the log lacks the name.
    public let line: Int?
  }

  /// The result of a comparison.
  public enum Result: String, Sendable, CaseIterable {
    case equal, differs, onlyInLog, missingFromLog
  }

  /// Whether any value differs in any policy of the log.
  public var hasDifferences: Bool {
    blocks.contains { $0.findings.contains { $0.result == .differs } }
  }

  /// The largest number of names that any policy of the log lacks and that could not be compared.
  public var missingNames: Int {
    blocks.map { $0.findings.count { $0.result == .missingFromLog } }.max() ?? 0
  }

  /// Compares a policy with a log.
  ///
  /// - Returns: nil where the log has none of the known names.
  public init?(of policy: EffectivePolicy, with log: [UInt8]) {
    let blocks = LogReader.blocks(in: log)
    guard !blocks.isEmpty else { return nil }
    let expected = LogField.all.map { Expectation($0, policy) }
    self.blocks = blocks.map { block in
      Block(
        line: block.line, isTruncated: block.isTruncated,
        findings: expected.compactMap { Finding($0, block.entries[$0.field.name]) })
    }
  }
}

/// The value that a policy leads to under one name. Logs have many blocks, and policies long lists.
private struct Expectation {
  let field: LogField
  let value: LogValue?
  let words: String?
  let isOpen: Bool
  let place: PolicyView.Place?

  init(_ field: LogField, _ policy: EffectivePolicy) {
    self.field = field
    value = field.value(policy.settings)
    words = value.map(field.words)
    isOpen = field.isOpen(policy.settings)
    let origin = ([field.setting] + field.otherSettings).lazy.compactMap { policy.origins[$0] }
      .first
    place = origin.map { .init(file: $0.file, line: $0.line) }
  }
}

extension LogComparison.Finding {
  /// Compares a value with an entry of the log; nil where neither has the name.
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
    setting = field.setting
    self.logged = logged.map(field.words)
    self.expected = expectation.words
    place = expectation.place
    line = entry?.line
  }
}
