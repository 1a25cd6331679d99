/// Something that a lint command looks for.
package protocol FindingRule: Sendable, Hashable {
  /// What a command does about a finding where it is asked to.
  associatedtype Repair: Sendable, Equatable = Never

  /// One word, as findings cite it.
  var code: String { get }
  /// How bad it usually is; a finding can differ.
  var severity: Severity { get }
  /// What it looks for, as a heading.
  var summary: String { get }
  /// What to do about it; empty where the message says it.
  var help: String { get }

  /// Every rule, in the order of the documentation.
  static var all: [Self] { get }
  /// The command that carries out repairs; nil where there is none.
  static var repairCommand: String? { get }
}

extension FindingRule {
  package static var repairCommand: String? { nil }
}

extension FindingRule where Self: RawRepresentable<String> & CaseIterable {
  package var code: String { rawValue }

  package static var all: [Self] { Array(allCases) }
}
