package import Output

/// A rule about a tenant's assignments. Its ``summary`` describes the finding.
package enum TenantRule: String, FindingRule, CaseIterable {
  case missingGroup
  case missingFilter
  case emptyGroup
  case unknownMembers
  case unusedGroup
  case unusedFilter
  case allDevices
  case redundantAssignment
  case redundantExclusion
  case unlicensedMembers
  case assignedToNobody
  case filterNeverTrue
  case otherFilterKind
  case lockOut
  case possibleLockOut
  case unprotectedUsers
  case differingPolicies
  case configurationWithoutPolicy
  case deviceGap

  /// A warning if users probably lack access or policies that the administrator intends; otherwise a note.
  package var severity: Severity {
    switch self {
    case .lockOut, .unprotectedUsers, .assignedToNobody, .filterNeverTrue, .allDevices,
      .otherFilterKind, .deviceGap, .emptyGroup:
      .warning
    case .missingGroup, .missingFilter, .unknownMembers, .unusedGroup, .unusedFilter,
      .redundantAssignment, .redundantExclusion, .unlicensedMembers, .possibleLockOut,
      .differingPolicies, .configurationWithoutPolicy:
      .note
    }
  }

  package var summary: String {
    switch self {
    case .missingGroup: "A document names a group that the export does not contain."
    case .missingFilter: "An assignment names a filter that the export does not contain."
    case .emptyGroup: "A group with an assignment has no members."
    case .unknownMembers: "Documents name groups whose members the export does not state."
    case .unusedGroup: "No document uses a group."
    case .unusedFilter: "No document uses a filter for managed apps."
    case .allDevices: "All devices are the target of a document that is assigned to users only."
    case .redundantAssignment: "A document for all licensed users is also assigned to a group."
    case .redundantExclusion: "A document excludes a group without any user whom it includes."
    case .unlicensedMembers: "A group with an assignment has members without a licence."
    case .assignedToNobody: "A document reaches no user."
    case .filterNeverTrue: "A filter is true on no iPhone."
    case .otherFilterKind: "The kind of a filter is not the one that the document needs."
    case .lockOut: "Conditional access demands a policy that users do not get."
    case .possibleLockOut:
      "Conditional access demands a policy that users might not get, depending on a filter or an unknown fact."
    case .unprotectedUsers: "Users have no policy in an app for which others have one."
    case .differingPolicies: "Several policies with different values reach one user."
    case .configurationWithoutPolicy: "An app has a configuration, but no policy."
    case .deviceGap: "Users have a policy in an app on one kind of device only."
    }
  }

  /// The remedy in one sentence.
  package var help: String {
    switch self {
    case .missingGroup: "Export the group with its members, or describe it in `directory.yaml`."
    case .missingFilter: "Also export the assignment filters."
    case .emptyGroup: "Add members, or remove the assignment."
    case .unknownMembers:
      "Export the members, as Graph's `/groups/ID/transitiveMembers`, or describe the groups in `directory.yaml`."
    case .unusedGroup: "Leave it out of the export if it has no use, or assign a document to it."
    case .unusedFilter: "Remove the filter, or use it in an assignment."
    case .allDevices: "Assign the document to groups of users, or to all users."
    case .redundantAssignment: "Remove the assignment to the group, or that to all users."
    case .redundantExclusion:
      "Remove the exclusion, unless it is a precaution for later assignments."
    case .unlicensedMembers: "Give the users a licence for Intune, or confirm that they need none."
    case .assignedToNobody:
      "Assign the document to users with a licence who meet its filters, or remove it."
    case .filterNeverTrue: "Correct the rule; `sluice tenant who --user --app` shows what it reads."
    case .otherFilterKind: "Use a filter for managed apps with policies and configurations of apps."
    case .lockOut:
      "Assign an app protection policy for the app to these users, and check their licences for Intune."
    case .possibleLockOut:
      "Assign a policy without the condition, or confirm that the others are to be locked out."
    case .unprotectedUsers: "Assign a policy to these users, or confirm that they need none."
    case .differingPolicies:
      "The most restrictive value applies; make the policies agree or disjoint."
    case .configurationWithoutPolicy:
      "Add the app to a policy if it handles the organisation's data."
    case .deviceGap: "Target a policy at the other kind of device as well."
    }
  }
}

/// A rule of `sluice tenant lint`: about assignments, or about a file of the export.
package struct TenantLintRule: FindingRule {
  package let code: String
  package let severity: Severity
  package let summary: String
  package let help: String

  /// The rules about assignments. Rules about files are not listed, because each is created from its finding.
  package static let all = TenantRule.allCases.map(Self.init)

  init(_ rule: TenantRule) {
    (code, severity, summary, help) = (rule.code, rule.severity, rule.summary, rule.help)
  }

  /// Creates the rule of a warning or a note about a file. It has no help, because the message contains the remedy.
  init(_ diagnostic: Diagnostic) {
    (code, severity) = (diagnostic.rule, diagnostic.severity)
    summary = "A file of the export is incomplete, ambiguous or skipped, or has a probable mistake."
    help = ""
  }
}
