package import Diagnostics

/// The findings about several bundles.
package typealias BundleReport = FindingReport<BundleRule>

extension BundleReport {
  /// All findings about a user's input, with the text of the changes that would put them right.
  package static func findings(about input: BundleInput) -> [BundleFinding] {
    let findings =
      switch input {
      case .bundle(let bundle, let app): BundleLinter.lint(bundle, in: app)
      case .entitlements(let file): BundleLinter.lint(file)
      }
    let lists = BundleFixer.lists(of: input).map { ($0, ListEditor($0)) }
    return findings.map { finding in
      guard !finding.repairs.isEmpty,
        let (list, editor) = lists.first(where: { $0.0.file == finding.file })
      else { return finding }
      var finding = finding
      finding.repairs.removeAll { !list.takes($0) }
      finding.replacements =
        editor.map { BundleFixer.replacements(for: finding, by: $0) } ?? []
      return finding
    }
  }

  /// Whether a file could not be used.
  package var hasUnreadableFile: Bool { findings.contains { $0.rule == .unreadable } }
}
