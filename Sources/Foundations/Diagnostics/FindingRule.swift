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
