internal import Diagnostics
internal import GraphDocuments
internal import JSON

/// Finds statements without effect in a conditional access policy.
///
/// Source: Microsoft Graph, `conditionalAccessConditionSet`, `conditionalAccessUsers`,
/// `conditionalAccessApplications`, `conditionalAccessGrantControls`.
struct ConditionalAccessChecker {
  private var properties: ObjectReader<ConditionalAccessKind>

  /// - Parameter object: The object of a policy that was read without a fault.
  static func warnings(
    of object: JSONValue, isEnabled: Bool, in file: DocumentFile<ConditionalAccessKind>
  ) -> [ConditionalAccessWarning] {
    var checker = Self(properties: ObjectReader(object, in: file))
    checker.check(isEnabled: isEnabled)
    return checker.properties.warnings
  }

  private mutating func check(isEnabled: Bool) {
    let conditions = properties.object["conditions"]
    let users = conditions?["users"]
    let grant = properties.object["grantControls"]
    noteUnknown(in: conditions, "conditions", Self.conditions + Self.unsimulatedConditions)
    noteUnknown(in: conditions?["devices"], "devices", ["deviceFilter"] + Self.deviceLists)
    noteUnknown(in: conditions?["authenticationFlows"], "authenticationFlows", [Self.flows])
    noteUnknown(in: users, "users", Self.users + Self.opaqueExclusions + Self.opaqueInclusions)
    noteUnknown(in: conditions?["applications"], "applications", Self.applications)
    noteUnknown(in: grant, "grantControls", ["builtInControls", "operator"] + Self.userControls)
    guard isEnabled, let conditions else { return }
    // A policy for workloads is for no user, and means it.
    let isForNobody = users.map(Self.includesNobody) ?? true
    guard !isForNobody || !Self.isForWorkloads(conditions) else { return }
    noteUnsimulated(conditions)
    guard isForNobody else { return }
    properties.warn(
      .noUsers, users?.position ?? conditions.position,
      "the policy is for nobody: it includes no user")
  }

  // MARK: names

  private static let conditions = [
    "applications", "authenticationFlows", "clientAppTypes", "devices", "platforms", "users",
  ]
  private static let unsimulatedConditions = [
    "agentContext", "agentIdRiskLevels", "agents", "clientApplications", "clients", "deviceStates",
    "insiderRiskLevels", "locations", "servicePrincipalRiskLevels", "signInRiskLevels", "times",
    "userRiskLevels",
  ]
  private static let deviceLists = [
    "excludeDeviceStates", "excludeDevices", "includeDeviceStates", "includeDevices",
  ]
  private static let flows = "transferMethods"
  private static let users = ["excludeUsers", "includeUsers"]
  private static let opaqueExclusions = [
    "excludeGroups", "excludeGuestsOrExternalUsers", "excludeRoles",
  ]
  private static let opaqueInclusions = [
    "includeGroups", "includeGuestsOrExternalUsers", "includeRoles",
  ]
  /// The keys of `applications`. User actions, authentication contexts and traffic profiles are no resources that an
  /// app asks tokens for.
  private static let applications = [
    "applicationFilter", "excludeApplications", "globalSecureAccess", "includeApplications",
    "includeAuthenticationContextClassReferences", "includeUserActions", "networkAccess",
  ]
  private static let userControls = [
    "authenticationStrength", "customAuthenticationFactors", "termsOfUse",
  ]

  /// Whether a policy asks for a control that only its user can satisfy.
  static func asksUser(_ grant: JSONValue) -> Bool {
    userControls.contains { grant[$0].map(isSet) ?? false }
  }

  /// The names of a policy's conditions that are set and that nothing here depends on, including those that Graph
  /// does not document.
  static func unsimulated(in conditions: JSONValue) -> [String] {
    unsimulatedMembers(in: conditions).map(\.name)
  }

  private static func unsimulatedMembers(in conditions: JSONValue) -> [JSONValue.Member] {
    let own = members(of: conditions) { !Self.conditions.contains($0) }
    let devices = members(of: conditions["devices"]) { $0 != "deviceFilter" }
    let filter = members(of: conditions["applications"]) { $0 == "applicationFilter" }
    let flows = members(of: conditions["authenticationFlows"]) { $0 != Self.flows }
    return (own + devices + filter + flows).filter { member in
      workloads.contains(member.name) ? isFilled(member.value) : isSet(member.value)
    }
  }

  /// The groups, roles and guests that a policy names.
  static func opaqueUsers(in users: JSONValue) -> ConditionalAccessPolicy.OpaqueUsers {
    let named = { (lists: [String], people: String) in
      let words = (users[people]?.array ?? []).compactMap { $0.string?.lowercased() }
      return lists.filter { users[$0].map(isSet) ?? false }
        + (words.contains("guestsorexternalusers") ? [people] : [])
    }
    return ConditionalAccessPolicy.OpaqueUsers(
      included: named(opaqueInclusions, "includeUsers"),
      excluded: named(opaqueExclusions, "excludeUsers"))
  }

  private static let workloads = ["agents", "clientApplications"]

  private static func isForWorkloads(_ conditions: JSONValue) -> Bool {
    workloads.contains { conditions[$0].map(isFilled) ?? false }
  }

  private static func members(
    of object: JSONValue?, where isIncluded: (String) -> Bool
  ) -> [JSONValue.Member] {
    (object?.members ?? []).filter { !$0.isAnnotation && isIncluded($0.name) }
  }

  /// Warns of unknown members. Members that Graph has added since, and that the export leaves null or empty, mean
  /// nothing.
  private mutating func noteUnknown(
    in object: JSONValue?, _ noun: String, _ known: [String]
  ) {
    for member in Self.members(of: object, where: { !known.contains($0) }) {
      let near = NearestWord.to(member.name, among: known)
      guard near != nil || Self.isSet(member.value) else { continue }
      properties.warnUnknown(member, of: "`\(noun)`", suggesting: near)
    }
  }

  // MARK: values

  private mutating func noteUnsimulated(_ conditions: JSONValue) {
    let known = Self.unsimulatedConditions + Self.deviceLists + ["applicationFilter"]
    for member in Self.unsimulatedMembers(in: conditions) where known.contains(member.name) {
      properties.warn(
        .notSimulated, member.position,
        "`\(member.name)` is not simulated: the policy applies whatever it says")
    }
  }

  /// Whether the policy includes no user, not even by a group.
  private static func includesNobody(_ users: JSONValue) -> Bool {
    let included = (users["includeUsers"]?.array ?? []).compactMap { $0.string?.lowercased() }
    return included.allSatisfy { $0 == "none" } && opaqueUsers(in: users).included.isEmpty
  }

  /// Whether the value limits anything: null, an empty value, `all` and `none` do not.
  private static func isSet(_ value: JSONValue) -> Bool {
    if let members = value.members {
      return members.contains { !$0.name.contains("@odata.") && isSet($0.value) }
    }
    if let elements = value.array { return elements.contains(where: isSet) }
    if let text = value.string { return !["", "all", "none"].contains(text.lowercased()) }
    return !value.isNull
  }

  /// Whether the value has any content, if only a word such as `All`.
  private static func isFilled(_ value: JSONValue) -> Bool {
    if let members = value.members { return members.contains { isFilled($0.value) } }
    if let elements = value.array { return elements.contains(where: isFilled) }
    return !value.isNull
  }
}
