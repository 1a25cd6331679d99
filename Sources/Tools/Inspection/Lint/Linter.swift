import Diagnostics
package import GraphDocuments
package import JSON
import Model
package import Policy

/// Looks for mistakes in policy files.
package enum Linter {
  /// The findings about one file, in the order of its lines: the warnings of reading it, or the reason why it cannot be
  /// read, and the mistakes of each policy as a whole.
  package static func lint(_ bytes: [UInt8], file: String) -> [LintFinding] {
    do throws(PolicyError) {
      let policies = try PolicyReader.policies(in: bytes, file: file)
      return policies.flatMap { lint($0.document, stated: $0.object) }
    } catch {
      return [LintFinding(error)]
    }
  }

  /// The findings about a folder of exports, where files that are no policies for iOS are no mistake.
  package static func lint(_ survey: ExportFolder.Survey) -> [LintFinding] {
    var findings = survey.warnings.map { LintFinding($0) }
    findings += survey.files.flatMap { file in
      file.error.map { [LintFinding($0)] }
        ?? file.policies.flatMap { lint($0.document, stated: $0.object) }
    }
    return findings + [survey.absence].compactMap { $0.map { LintFinding($0) } }
  }

  /// The findings about one policy.
  ///
  /// - Parameter object: the JSON that the document was read from. Without it, findings stand at the beginning of the
  ///   document.
  package static func lint(
    _ document: PolicyDocument, stated object: JSONValue
  ) -> [LintFinding] {
    let subject = LintSubject(document: document, object: object)
    let android = subject.androidProperties
    let isOfAndroid = Set(android.map(\.position))
    // Lint has a rule of its own for settings of Android.
    var findings = document.warnings.filter {
      $0.code != .unknownProperty || !isOfAndroid.contains($0.position)
    }.map { LintFinding($0) }
    let warned = Set(findings.map(\.position))
    // A warning of reading the policy needs no second finding in other words.
    for finding in subject.whiteSpace + subject.deadSettings
    where !warned.contains(finding.position) {
      findings.append(finding)
    }
    findings += subject.omissions + subject.contradictions + subject.versionBounds
    findings += subject.remarks + android
    return findings.enumerated().sorted { left, right in
      let key = { (one: (offset: Int, element: LintFinding)) in
        (one.element.position?.line ?? 0, one.element.position?.column ?? 0, one.offset)
      }
      return key(left) < key(right)
    }.map(\.element)
  }
}
