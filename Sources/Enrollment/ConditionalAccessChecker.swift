internal import JSON
internal import Spelling

/// Finds in a conditional access policy what it says in vain.
///
/// Source: Microsoft Graph, `conditionalAccessConditionSet`, `conditionalAccessUsers`,
/// `conditionalAccessApplications`, `conditionalAccessGrantControls`.
struct ConditionalAccessChecker {
  private let file: String
  private var warnings: [ConditionalAccessWarning] = []

  private init(file: String) { self.file = file }

  /// - Parameter object: that of a policy which was read without a mistake.
  static func warnings(
    of object: JSONValue, isEnabled: Bool, file: String
  ) -> [ConditionalAccessWarning] {
    var checker = Self(file: file)
    checker.check(object, isEnabled: isEnabled)
    return checker.warnings
  }

  private mutating func check(_ object: JSONValue, isEnabled: Bool) {
    let conditions = object["conditions"]
    let users = conditions?["users"]
    let applications = conditions?["applications"]
    let grant = object["grantControls"]
    noteUnknown(in: conditions, "conditions", Self.conditions + Self.ignoredConditions)
    noteUnknown(in: users, "users", Self.users + Self.opaqueExclusions + Self.opaqueInclusions)
    noteUnknown(
      in: applications, "applications", Self.applications + Self.ignoredApplications)
    noteUnknown(in: grant, "grantControls", Self.controls + Self.ignoredControls)
    guard isEnabled else { return }
    noteIgnored(Self.ignoredConditions, in: conditions)
    noteIgnored(Self.ignoredApplications, in: applications)
    if let users { checkUsers(users) }
    if let grant { checkControls(grant) }
  }

  // MARK: names

  private static let conditions = ["applications", "clientAppTypes", "platforms", "users"]
  private static let ignoredConditions = [
    "agentIdRiskLevels", "authenticationFlows", "clientApplications", "deviceStates", "devices",
    "insiderRiskLevels", "locations", "servicePrincipalRiskLevels", "signInRiskLevels", "times",
    "userRiskLevels",
  ]
  private static let users = ["excludeUsers", "includeUsers"]
  private static let opaqueExclusions = [
    "excludeGroups", "excludeGuestsOrExternalUsers", "excludeRoles",
  ]
  private static let opaqueInclusions = [
    "includeGroups", "includeGuestsOrExternalUsers", "includeRoles",
  ]
  private static let applications = ["excludeApplications", "includeApplications"]
  private static let ignoredApplications = [
    "applicationFilter", "globalSecureAccess", "includeAuthenticationContextClassReferences",
    "includeUserActions", "networkAccess",
  ]
  private static let controls = ["builtInControls", "operator"]
  private static let ignoredControls = [
    "authenticationStrength", "customAuthenticationFactors", "termsOfUse",
  ]

  /// `@odata.…` annotations, also of single properties, and `#microsoft.graph.…` actions are Graph's own.
  private mutating func noteUnknown(
    in object: JSONValue?, _ noun: String, _ known: [String]
  ) {
    for member in object?.members ?? [] where !known.contains(member.name) {
      let name = member.name
      guard !name.contains("@odata."), !name.hasPrefix("#") else { continue }
      let hint = NearestWord.to(name, among: known).map { ", did you mean `\($0)`?" } ?? ""
      warn(
        .unknownProperty, member.position,
        "`\(name)` is no property of `\(noun)` and has no effect" + hint)
    }
  }

  // MARK: values

  private mutating func noteIgnored(_ names: [String], in object: JSONValue?) {
    for member in object?.members ?? []
    where names.contains(member.name) && Self.isSet(member.value) {
      warn(
        .notSimulated, member.position,
        "`\(member.name)` is not simulated: the policy applies whatever it says")
    }
  }

  private mutating func checkUsers(_ users: JSONValue) {
    let included = (users["includeUsers"]?.array ?? []).compactMap { $0.string?.lowercased() }
    let groups = Self.opaqueInclusions.filter { users[$0].map(Self.isSet) ?? false }
    let hasGuests = included.contains("guestsorexternalusers")
    if included.allSatisfy({ $0 == "none" || $0 == "guestsorexternalusers" }) {
      if groups.isEmpty, !hasGuests {
        warn(.noUsers, users.position, "the policy is for nobody: it includes no user")
      } else {
        warn(
          .opaqueUsers, users.position,
          "the policy includes groups, roles or guests alone, who are not known here, so that "
            + "it is for nobody; name accounts in `assign`")
      }
    }
    for member in users.members ?? []
    where Self.opaqueExclusions.contains(member.name) && Self.isSet(member.value) {
      warn(
        .opaqueUsers, member.position,
        "`\(member.name)` excludes nobody: who is meant is not known here")
    }
  }

  private mutating func checkControls(_ grant: JSONValue) {
    guard (grant["builtInControls"]?.array ?? []).isEmpty else { return }
    for member in grant.members ?? []
    where Self.ignoredControls.contains(member.name) && Self.isSet(member.value) {
      warn(
        .notSimulated, member.position,
        "`\(member.name)` is not simulated: without `builtInControls` the policy asks for nothing")
    }
  }

  /// Whether the value limits anything: null, nothing and everything do not.
  private static func isSet(_ value: JSONValue) -> Bool {
    if let members = value.members {
      return members.contains { !$0.name.contains("@odata.") && isSet($0.value) }
    }
    if let elements = value.array { return elements.contains(where: isSet) }
    if let text = value.string { return !["", "all", "none"].contains(text.lowercased()) }
    return !value.isNull
  }

  private mutating func warn(
    _ code: ConditionalAccessWarningCode, _ position: Position, _ message: String
  ) {
    warnings.append(ConditionalAccessWarning(code, file: file, at: position, message))
  }
}
