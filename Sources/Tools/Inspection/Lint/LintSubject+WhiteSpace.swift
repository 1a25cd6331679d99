import Diagnostics
import JSON

/// White space around names and values, anywhere in the policy.
extension LintSubject {
  /// Members with texts for people, where white space does no harm, and members that reading the policy warns about.
  private static let exceptions: Set<String> = [
    "bundleId",
    "displayName", "description", "customBrowserDisplayName", "customDialerAppDisplayName",
    "messagingRedirectAppDisplayName",
  ]

  var whiteSpace: [LintFinding] { whiteSpace(in: object) }

  private func whiteSpace(in value: JSONValue) -> [LintFinding] {
    switch value.kind {
    case .string(let text):
      guard Self.hasSpaceAround(text) else { return [] }
      return [
        finding(
          .whiteSpace, at: value.position, "the value `\(text)` begins or ends with white space")
      ]
    case .array(let elements): return elements.flatMap(whiteSpace)
    case .object(let members): return members.flatMap(whiteSpace)
    case .null, .bool, .number: return []
    }
  }

  private func whiteSpace(in member: JSONValue.Member) -> [LintFinding] {
    var findings: [LintFinding] = []
    if Self.hasSpaceAround(member.name) {
      findings.append(
        finding(
          .whiteSpace, at: member.position,
          "the name `\(member.name)` begins or ends with white space and so is another name"))
    }
    if !Self.exceptions.contains(member.name) { findings += whiteSpace(in: member.value) }
    return findings
  }

  private static func hasSpaceAround(_ text: String) -> Bool {
    text.first?.isWhitespace == true || text.last?.isWhitespace == true
  }
}
