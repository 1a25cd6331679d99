package import GraphDocuments
import JSON
internal import Output

/// Reads one conditional access policy, an array, or Graph's response `{"value": […]}` or `{"value": {…}}`.
///
/// Properties that do not affect iPhone apps are ignored, with a warning if they are set.
package struct ConditionalAccessReader {
  /// Reads one or more policies from `bytes`. Messages cite the file as `file`.
  ///
  /// - Throws: ``ConditionalAccessError`` if a policy cannot be read, or if there is none.
  package static func read(
    _ bytes: [UInt8], file: String
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy] {
    let reader = ConditionalAccessReader(file: DocumentFile(file), bytes: bytes)
    let root = try reader.file.value(of: bytes)
    guard !root.elementsOrSelf.isEmpty else {
      throw reader.file.failure(
        .noPolicy, root.position, "the file holds no conditional access policy")
    }
    return try reader.policies(root.elementsOrSelf, in: root)
  }

  /// Reads the policies in a folder's files; export tools write one file per policy. Files without a policy
  /// are skipped, with a warning on the first policy.
  ///
  /// - Parameter scripts: Other files of the folder, which the error names if there is no policy.
  /// - Throws: A ``ConditionalAccessError`` for each file with an unreadable policy, or one if there is no policy.
  package static func read(
    _ files: [ExportFolder.File], beside scripts: [ExportFolder.File] = [], in folder: ExportFolder
  ) throws(DocumentErrors<ConditionalAccessErrorCode>) -> [ConditionalAccessPolicy] {
    let contents = try folder.contents(of: files, beside: scripts) {
      file throws(ConditionalAccessError) in
      let reader = ConditionalAccessReader(
        file: DocumentFile(folder.path(of: file)), bytes: file.bytes)
      return try reader.policiesAmongOthers(file)
    }
    var policies = contents.documents
    guard !policies.isEmpty else {
      throw DocumentErrors([
        ConditionalAccessError(
          .noPolicy, file: folder.name, contents.absence(of: "conditional access policy"))
      ])
    }
    if let message = contents.skipping(without: "a conditional access policy") {
      policies[0].warnings.append(
        ConditionalAccessWarning(.skippedFiles, file: folder.name, message))
    }
    return policies
  }

  private func policiesAmongOthers(
    _ source: ExportFolder.File
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy] {
    let root: JSONValue
    do throws(ConditionalAccessError) {
      root = try file.value(of: source.bytes)
    } catch {
      // A malformed file may be of any kind, unless it names the type.
      guard source.mentions(["conditionalAccess"]) else { return [] }
      throw error
    }
    let objects = root.elementsOrSelf.filter {
      ObjectType(of: $0, in: root)?.kind == .conditionalAccessPolicy
    }
    return try policies(objects, in: root)
  }

  private func policies(
    _ objects: [JSONValue], in root: JSONValue
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy] {
    var policies: [ConditionalAccessPolicy] = []
    for object in objects { policies.append(try policy(object, in: root)) }
    return policies
  }

  private let file: DocumentFile<ConditionalAccessKind>
  private let bytes: [UInt8]

  private func policy(
    _ object: JSONValue, in root: JSONValue
  ) throws(ConditionalAccessError) -> ConditionalAccessPolicy {
    guard object.members != nil else {
      throw file.mismatch("a conditional access policy is an object", object)
    }
    try checkType(of: object, in: root)
    // Export tools drop empty parts of an object whose type is stated.
    let isStated = ObjectType(of: object, in: root).map { !$0.isShownByProperties } ?? false
    let conditions = try member("conditions", of: object)
    let platforms = conditions.property("platforms")?.value
    let grant = object.property("grantControls")?.value
    let state: ConditionalAccessPolicy.State = try word(member("state", of: object))
    let users = try part("users", of: conditions, isOptional: isStated)
    let applications = try part("applications", of: conditions, isOptional: isStated)
    let filter = try deviceFilter(in: conditions)
    return ConditionalAccessPolicy(
      displayName: object.property("displayName")?.value.string ?? "unnamed",
      state: state, users: try condition("Users", in: users),
      opaqueUsers: ConditionalAccessChecker.opaqueUsers(in: users),
      applications: try condition("Applications", in: applications),
      scope: Self.scope(of: applications),
      platforms: try platforms.map { value throws(ConditionalAccessError) in
        try condition("Platforms", in: value)
      },
      clientAppTypes: try names("clientAppTypes", in: conditions),
      transferMethods: try transferMethods(in: conditions), deviceFilter: filter.filter,
      unsimulated: ConditionalAccessChecker.unsimulated(in: conditions),
      controls: try controls(of: grant), operator: try combination(of: grant), file: file.name,
      position: grant?.position ?? object.position,
      warnings: ConditionalAccessChecker.warnings(
        of: object, isEnabled: state == .enabled, in: file) + filter.warnings)
  }

  private static func scope(of applications: JSONValue) -> ConditionalAccessPolicy.Scope {
    let names = { (name: String) in
      (applications.property(name)?.value.array ?? []).compactMap(\.string)
    }
    return ConditionalAccessPolicy.Scope(
      resources: names("includeApplications"), excludedResources: names("excludeApplications"),
      userActions: names("includeUserActions"),
      authenticationContexts: names("includeAuthenticationContextClassReferences"),
      isForTraffic: ["globalSecureAccess", "networkAccess"].contains {
        applications.property($0) != nil
      })
  }

  /// Throws if the object has another type or contains a conditional access policy.
  private func checkType(
    of object: JSONValue, in root: JSONValue
  ) throws(ConditionalAccessError) {
    guard let type = ObjectType(of: object, in: root) else {
      guard
        let wrapped = WrappedDocument(
          of: [.conditionalAccessPolicy], in: object, or: root)
      else { return }
      throw file.failure(
        .noPolicy, wrapped.position, "the object is no conditional access policy; \(wrapped.hint)")
    }
    guard type.kind != .conditionalAccessPolicy else { return }
    throw file.failure(
      .noPolicy, type.position,
      "expected a conditional access policy (`#microsoft.graph.conditionalAccessPolicy`), found "
        + type.words() + type.use)
  }

  /// Reads the flags in a string such as `deviceCodeFlow,authenticationTransfer`.
  ///
  /// Source: Microsoft Graph, `conditionalAccessAuthenticationFlows`.
  private func transferMethods(
    in conditions: JSONValue
  ) throws(ConditionalAccessError) -> Set<String> {
    guard let flows = conditions.property("authenticationFlows")?.value,
      let value = flows.property("transferMethods")?.value
    else { return [] }
    guard let text = value.string else {
      throw file.mismatch("`transferMethods` is a string", value)
    }
    let words = text.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
    return Set(words).subtracting(["none"])
  }

  /// - Returns: The filter, and a warning if its rule cannot be read.
  private func deviceFilter(
    in conditions: JSONValue
  ) throws(ConditionalAccessError) -> (filter: DeviceFilter?, warnings: [ConditionalAccessWarning])
  {
    guard let devices = conditions.property("devices")?.value,
      let filter = devices.property("deviceFilter")?.value,
      let value = filter.property("rule")?.value
    else { return (nil, []) }
    guard let rule = value.string else {
      throw file.mismatch("`rule` is a string", value)
    }
    let mode: DeviceFilter.Mode = try word(member("mode", of: filter))
    do throws(DeviceFilterError) {
      return (DeviceFilter(mode: mode, rule: try DeviceFilterParser.parse(rule)), [])
    } catch {
      var string = JSONStringPlace(of: value.position, in: JSONText(bytes))
      let place = string.position(of: error.offset)
      let warning = ConditionalAccessWarning(
        .invalidFilter, file: file.name, at: place,
        "the policy applies to every device, for its filter cannot be read: " + error.message)
      return (DeviceFilter(mode: mode, rule: nil), [warning])
    }
  }

  private func controls(
    of grant: JSONValue?
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy.GrantControl] {
    guard let grant else { return [] }
    var controls: [ConditionalAccessPolicy.GrantControl] = []
    if let list = grant.property("builtInControls")?.value {
      for value in try array(list) { controls.append(try word(value)) }
    }
    // A user can satisfy an authentication strength, terms of use and a custom control, just like `mfa`.
    return controls + (ConditionalAccessChecker.asksUser(grant) ? [.mfa] : [])
  }

  private func combination(
    of grant: JSONValue?
  ) throws(ConditionalAccessError) -> ConditionalAccessPolicy.Operator {
    guard let value = grant.flatMap({ $0.property("operator")?.value }) else { return .or }
    return try word(value)
  }

  /// Reads a pair such as `includeUsers` and `excludeUsers`.
  private func condition(
    _ noun: String, in object: JSONValue
  ) throws(ConditionalAccessError) -> ConditionalAccessPolicy.Condition {
    ConditionalAccessPolicy.Condition(
      included: try names("include\(noun)", in: object),
      excluded: try names("exclude\(noun)", in: object))
  }

  private func names(
    _ name: String, in object: JSONValue
  ) throws(ConditionalAccessError) -> Set<String> {
    guard let list = object.property(name)?.value else { return [] }
    var names: Set<String> = []
    for value in try array(list) {
      guard let text = value.string else {
        throw file.mismatch("`\(name)` holds strings", value)
      }
      names.insert(text.lowercased())
    }
    return names
  }

  private func array(_ value: JSONValue) throws(ConditionalAccessError) -> [JSONValue] {
    guard let elements = value.array else {
      throw file.mismatch("expected an array", value)
    }
    return elements
  }

  private func member(
    _ name: String, of object: JSONValue
  ) throws(ConditionalAccessError) -> JSONValue {
    guard let value = object.property(name)?.value else {
      throw file.failure(.missing, object.position, "`\(name)` is missing")
    }
    return value
  }

  /// Returns the member with that name. If it is missing and optional, returns an empty object.
  private func part(
    _ name: String, of object: JSONValue, isOptional: Bool
  ) throws(ConditionalAccessError) -> JSONValue {
    if isOptional, object.property(name) == nil {
      return JSONValue(.object([]), at: object.position)
    }
    return try member(name, of: object)
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue
  ) throws(ConditionalAccessError) -> Word {
    guard let text = value.string else {
      throw file.mismatch("expected a string", value)
    }
    guard let word = Word.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() })
    else {
      let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw file.failure(.unknownValue, value.position, "`\(text)` is none of \(known)")
    }
    return word
  }
}

// MARK: - Statements without effect

/// Finds statements without effect in a conditional access policy.
///
/// Source: Microsoft Graph, `conditionalAccessConditionSet`, `conditionalAccessUsers`,
/// `conditionalAccessApplications`, `conditionalAccessGrantControls`.
private struct ConditionalAccessChecker {
  private var properties: ObjectReader<ConditionalAccessKind>

  /// - Parameter object: A policy that was read without an error.
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
    // A policy for workloads intentionally includes no user.
    let isForNobody = users.map(Self.includesNobody) ?? true
    guard !isForNobody || !Self.isForWorkloads(conditions) else { return }
    noteUnsimulated(conditions)
    guard isForNobody else { return }
    properties.warn(
      .noUsers, users?.position ?? conditions.position,
      "the policy is for nobody: it includes no user")
  }

  // MARK: Names

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
  /// The keys of `applications`. User actions, authentication contexts and traffic profiles are not resources
  /// for which an app requests tokens.
  private static let applications = [
    "applicationFilter", "excludeApplications", "globalSecureAccess", "includeApplications",
    "includeAuthenticationContextClassReferences", "includeUserActions", "networkAccess",
  ]
  private static let userControls = [
    "authenticationStrength", "customAuthenticationFactors", "termsOfUse",
  ]

  /// Whether a policy requires a control that only the user can satisfy.
  static func asksUser(_ grant: JSONValue) -> Bool {
    userControls.contains { grant[$0].map(isSet) ?? false }
  }

  /// Returns the names of conditions that are set but not simulated, including undocumented ones.
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

  /// Returns the conditions that name groups, roles or guests.
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

  /// Warns of unknown members that are set or resemble known ones. Graph's newer members are often unset.
  private mutating func noteUnknown(
    in object: JSONValue?, _ noun: String, _ known: [String]
  ) {
    for member in Self.members(of: object, where: { !known.contains($0) }) {
      let near = NearestWord.to(member.name, among: known)
      guard near != nil || Self.isSet(member.value) else { continue }
      properties.warnUnknown(member, of: "`\(noun)`", suggesting: near)
    }
  }

  // MARK: Values

  private mutating func noteUnsimulated(_ conditions: JSONValue) {
    let known = Self.unsimulatedConditions + Self.deviceLists + ["applicationFilter"]
    for member in Self.unsimulatedMembers(in: conditions) where known.contains(member.name) {
      properties.warn(
        .notSimulated, member.position,
        "`\(member.name)` is not simulated: the policy applies whatever it says")
    }
  }

  /// Whether the policy includes no user, not even through a group.
  private static func includesNobody(_ users: JSONValue) -> Bool {
    let included = (users["includeUsers"]?.array ?? []).compactMap { $0.string?.lowercased() }
    return included.allSatisfy { $0 == "none" } && opaqueUsers(in: users).included.isEmpty
  }

  /// Whether the value limits anything. Null, an empty value, `all` and `none` do not.
  private static func isSet(_ value: JSONValue) -> Bool {
    if let members = value.members {
      return members.contains { !$0.name.contains("@odata.") && isSet($0.value) }
    }
    if let elements = value.array { return elements.contains(where: isSet) }
    if let text = value.string { return !["", "all", "none"].contains(text.lowercased()) }
    return !value.isNull
  }

  /// Whether the value has any content, even only a word such as `All`.
  private static func isFilled(_ value: JSONValue) -> Bool {
    if let members = value.members { return members.contains { isFilled($0.value) } }
    if let elements = value.array { return elements.contains(where: isFilled) }
    return !value.isNull
  }
}

// MARK: - Errors and warnings

private enum ConditionalAccessKind: DocumentKind {
  typealias ErrorCode = ConditionalAccessErrorCode
  typealias WarningCode = ConditionalAccessWarningCode
}

/// An error that makes a conditional access policy file unusable.
package typealias ConditionalAccessError = DocumentError<ConditionalAccessErrorCode>

package enum ConditionalAccessErrorCode: String, DocumentErrorCode {
  case jsonSyntax, duplicateProperty, noPolicy, wrongType, missing, unknownValue
}

/// A probable mistake in a conditional access policy that remains usable.
package typealias ConditionalAccessWarning = DocumentWarning<ConditionalAccessWarningCode>

package enum ConditionalAccessWarningCode: String, DocumentWarningCode, CaseIterable {
  /// A name that Graph does not document.
  case unknownProperty
  /// A condition that is set but not simulated.
  case notSimulated
  /// A device filter whose rule cannot be read.
  case invalidFilter
  case noUsers
  /// Files in a folder without a policy.
  case skippedFiles
}
