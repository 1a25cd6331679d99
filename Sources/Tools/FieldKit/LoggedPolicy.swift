internal import Analysis
internal import Encodings
internal import Model
internal import Output
internal import Policy

package struct DiagnosticLog: Sendable {
  let file: String
  let bytes: [UInt8]

  /// Creates the log that a file contains.
  ///
  /// - Parameter file: The file's path as the user wrote it.
  package init(_ bytes: [UInt8], file: String) {
    self.file = file
    self.bytes = bytes
  }

  fileprivate var withoutPolicy: Diagnostic {
    Diagnostic(
      .file(file),
      "the log has no setting of the Intune App SDK; expected lines such as `AppSharingToLevel = 1`",
      rule: "log")
  }
}

/// A policy of the kit that was in force on a device, according to the device's diagnostic log.
///
/// The log itself is evidence, because it contains the values of settings that the Intune App SDK received.
struct LoggedPolicy: Sendable {
  let policy: KitPolicy
  /// The settings that the policy states, with their values in the log.
  fileprivate let values: [LogComparison.ComparedValue]

  /// Finds the policies in the logs.
  ///
  /// - Parameter logs: At least one.
  /// - Throws: ``FormErrors`` if a log contains no policy, or if no policy in the logs has the values of one of
  ///   `policies`. The error then states the first difference from the most similar policy in the logs.
  static func find(
    _ policies: [KitPolicy], in logs: [DiagnosticLog]
  ) throws(FormErrors) -> [LoggedPolicy] {
    var found: [LoggedPolicy] = []
    var diagnostics: [Diagnostic] = []
    for policy in policies {
      let stated = policy.settings
      var nearest:
        (file: String, block: LogComparison.Block, differences: [LogComparison.ComparedValue])?
      for log in logs {
        guard let comparison = LogComparison(of: policy.document.effective, with: log.bytes) else {
          throw FormErrors(diagnostics: [log.withoutPolicy])
        }
        for block in comparison.blocks {
          let differences = block.findings.filter {
            $0.result == .differs || $0.result == .missingFromLog && stated.contains($0.setting)
          }
          if let best = nearest, best.differences.count <= differences.count { continue }
          nearest = (log.file, block, differences)
        }
      }
      guard let nearest else { continue }
      if let difference = nearest.differences.first {
        diagnostics.append(
          Diagnostic(
            .file(nearest.file, Position(line: difference.line ?? nearest.block.line, column: 1)),
            "no policy in the logs is the kit's policy `\(policy.name)`; in the most similar one, "
              + "`\(difference.name)` is \(difference.logged ?? "missing") instead of \(difference.expected ?? "missing")",
            rule: "log"))
        continue
      }
      let values = nearest.block.findings.filter {
        $0.result == .equal && stated.contains($0.setting)
      }
      found.append(LoggedPolicy(policy: policy, values: values))
    }
    guard diagnostics.isEmpty else { throw FormErrors(diagnostics: diagnostics) }
    return found
  }

  /// Returns a statement that the log contains the policy's values, as YAML.
  ///
  /// - Parameter source: The lines of the statement's source.
  func statement(source: [String]) -> String {
    let settings = values.map(\.setting.rawValue).unique
    var lines = [
      "statement: The diagnostic log shows the field kit's policy \(policy.name) with the values that Sluice logs."
    ]
    lines += source
    if !settings.isEmpty { lines.append("settings: [\(settings.joined(separator: ", "))]") }
    lines += ["run:", "  policies:", "  - \(policy.line)", "  log: |"]
    for value in values { lines.append("    \(value.name): \(value.loggedText ?? "")") }
    return lines.joinedLines
  }
}
