package import Diagnostics

/// The findings about several policy files.
package typealias LintReport = FindingReport<LintRule>

extension LintReport {
  /// Whether a file could not be used.
  package var hasUnreadableFile: Bool { findings.contains(where: \.isUnreadable) }
}
