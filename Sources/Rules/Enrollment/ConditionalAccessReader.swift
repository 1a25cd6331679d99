internal import Directory
import Encodings
package import GraphDocuments
internal import Output

/// Reads conditional access policies from JSON: one policy, an array of policies, or Graph's response `{"value": […]}`
/// or `{"value": {…}}`.
///
/// Conditions that are not simulated are assumed to be met. Warnings report such conditions in enabled policies, and
/// undocumented properties that have a value.
package struct ConditionalAccessReader {
  /// Reads one or more policies from `bytes`. Messages refer to the file as `file`.
  ///
  /// - Throws: ``ConditionalAccessErrors`` if a policy cannot be read, or if there is none.
  package static func read(
    _ bytes: [UInt8], file: String
  ) throws(ConditionalAccessErrors) -> [ConditionalAccessPolicy] {
    try ConditionalAccessErrors.collecting { errors throws(ConditionalAccessError) in
      let reader = ConditionalAccessReader(file: DocumentFile(file), bytes: bytes)
      let root = try reader.file.value(of: bytes, collecting: &errors)
      guard !root.elementsOrSelf.isEmpty else {
        throw reader.file.failure(
          .noPolicy, root.position, "the file contains no conditional access policy")
      }
      return reader.policies(root.elementsOrSelf, in: root, &errors)
    }
  }

  /// Reads the policies in a folder's files; export tools write one file per policy. Files without a policy are
  /// skipped; a warning on the first policy states how many.
  ///
  /// - Parameter scripts: Further files of the folder. If there is no policy, the error lists them.
  /// - Throws: ``ConditionalAccessErrors`` with the errors of all files, or with one error if no file contains a
  ///   policy.
  package static func read(
    _ files: [ExportFolder.File], beside scripts: [ExportFolder.File] = [], in folder: ExportFolder
  ) throws(ConditionalAccessErrors) -> [ConditionalAccessPolicy] {
    let contents = try folder.contents(of: files, beside: scripts) {
      file throws(ConditionalAccessErrors) in
      let reader = ConditionalAccessReader(
        file: DocumentFile(folder.path(of: file)), bytes: file.bytes)
      return try ConditionalAccessErrors.collecting { errors throws(ConditionalAccessError) in
        try reader.policiesAmongOthers(file, &errors)
      }
    }
    var policies = contents.documents
    guard !policies.isEmpty else {
      throw ConditionalAccessErrors([
        ConditionalAccessError(
          .noPolicy, folder: folder.name, contents.absence(of: "conditional access policy"))
      ])
    }
    if let message = contents.skipping(without: "a conditional access policy") {
      policies[0].warnings.append(
        ConditionalAccessWarning(.skippedFiles, folder: folder.name, message))
    }
    return policies
  }

  private func policiesAmongOthers(
    _ source: ExportFolder.File, _ errors: inout ConditionalAccessKind.ErrorCollector
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy] {
    let root: JSONValue
    var duplicates = ConditionalAccessKind.ErrorCollector()
    do throws(ConditionalAccessError) {
      root = try file.value(of: source.bytes, collecting: &duplicates)
    } catch {
      // A malformed file is of unknown kind unless it contains the type's name.
      guard source.mentions(["conditionalAccess"]) else { return [] }
      throw error
    }
    guard duplicates.isEmpty || source.mentions(["conditionalAccess"]) else { return [] }
    errors.add(duplicates)
    let objects = root.elementsOrSelf.filter {
      ObjectType(of: $0, in: root)?.kind == .conditionalAccessPolicy
    }
    return policies(objects, in: root, &errors)
  }

  private func policies(
    _ objects: [JSONValue], in root: JSONValue,
    _ errors: inout ConditionalAccessKind.ErrorCollector
  ) -> [ConditionalAccessPolicy] {
    objects.compactMap { policy($0, in: root, &errors) }
  }

  private let file: DocumentFile<ConditionalAccessKind>
  private let bytes: [UInt8]

  /// Reads a policy from one object. If that fails, adds the errors to the collected ones and returns nil.
  private func policy(
    _ object: JSONValue, in root: JSONValue,
    _ errors: inout ConditionalAccessKind.ErrorCollector
  ) -> ConditionalAccessPolicy? {
    let isPolicy: Void? = errors.read { () throws(ConditionalAccessError) in
      guard object.members != nil else {
        throw file.mismatch("a conditional access policy must be an object", object)
      }
      try checkType(of: object, in: root)
    }
    guard isPolicy != nil else { return nil }
    // Export tools state the type of an object, and omit its empty parts.
    let isStated = ObjectType(of: object, in: root).map { !$0.isShownByProperties } ?? false
    let grant = object.property("grantControls")?.value
    let state: ConditionalAccessPolicy.State? = errors.read { () throws(ConditionalAccessError) in
      try word(member("state", of: object))
    }
    let controls = errors.read { () throws(ConditionalAccessError) in try self.controls(of: grant) }
    let combination = errors.read { () throws(ConditionalAccessError) in
      try self.combination(of: grant)
    }
    let conditions = errors.read { () throws(ConditionalAccessError) in
      try member("conditions", of: object)
    }
    guard let conditions else { return nil }
    let users = errors.read { () throws(ConditionalAccessError) in
      let users = try part("users", of: conditions, isOptional: isStated)
      return (
        condition: try condition("Users", in: users),
        principals: ConditionalAccessChecker.principals(in: users)
      )
    }
    let applications = errors.read { () throws(ConditionalAccessError) in
      let applications = try part("applications", of: conditions, isOptional: isStated)
      return (
        condition: try condition("Applications", in: applications),
        scope: Self.scope(of: applications)
      )
    }
    let platforms = errors.read { () throws(ConditionalAccessError) in
      try conditions.property("platforms").map { member throws(ConditionalAccessError) in
        try condition("Platforms", in: member.value)
      }
    }
    let types = errors.read { () throws(ConditionalAccessError) in
      try names("clientAppTypes", in: conditions)
    }
    let methods = errors.read { () throws(ConditionalAccessError) in
      try transferMethods(in: conditions)
    }
    let filter = errors.read { () throws(ConditionalAccessError) in
      try deviceFilter(in: conditions)
    }
    guard let state, let controls, let combination, let users, let applications, let platforms,
      let types, let methods, let filter
    else { return nil }
    return ConditionalAccessPolicy(
      id: object.property("id")?.value.string,
      displayName: object.property("displayName")?.value.string ?? file.shortName,
      state: state, users: users.condition, principals: users.principals,
      applications: applications.condition, scope: applications.scope, platforms: platforms,
      clientAppTypes: types, transferMethods: methods, deviceFilter: filter.filter,
      unsimulated: ConditionalAccessChecker.unsimulated(in: conditions),
      controls: controls, operator: combination, file: file.name,
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

  /// Throws an error if the object's type is not that of a conditional access policy. Also throws if the object has no
  /// known type but contains a policy in a nested value.
  private func checkType(
    of object: JSONValue, in root: JSONValue
  ) throws(ConditionalAccessError) {
    guard let type = ObjectType(of: object, in: root) else {
      guard
        let wrapped = WrappedDocument(
          of: [.conditionalAccessPolicy], in: object, or: root)
      else { return }
      throw file.failure(
        .noPolicy, wrapped.position,
        "the object is not a conditional access policy; \(wrapped.hint)")
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
      throw file.mismatch("`transferMethods` must be a string", value)
    }
    let words = text.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
    return Set(words).subtracting(["none"])
  }

  /// Reads the device filter.
  ///
  /// - Returns: The filter, and a warning if its rule cannot be parsed.
  private func deviceFilter(
    in conditions: JSONValue
  ) throws(ConditionalAccessError) -> (filter: DeviceFilter?, warnings: [ConditionalAccessWarning])
  {
    guard let devices = conditions.property("devices")?.value,
      let filter = devices.property("deviceFilter")?.value,
      let value = filter.property("rule")?.value
    else { return (nil, []) }
    guard let rule = value.string else {
      throw file.mismatch("`rule` must be a string", value)
    }
    let mode: DeviceFilter.Mode = try word(member("mode", of: filter))
    do throws(RuleError) {
      return (
        DeviceFilter(
          mode: mode, rule: try DirectoryRuleParser.parse(rule, as: .conditionalAccessDevices)), []
      )
    } catch {
      var string = JSONStringPlace(of: value.position, in: JSONText(bytes))
      let place = string.position(of: error.offset)
      let warning = ConditionalAccessWarning(
        .invalidFilter, file: file.name, at: place,
        "the policy applies to every device, because its filter cannot be read: " + error.message)
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

  /// Reads two properties that belong together, such as `includeUsers` and `excludeUsers`. `noun` is the common end of
  /// the two names, such as `Users`.
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
        throw file.mismatch("`\(name)` must hold strings", value)
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

  /// Returns the value of a property. If the property is optional and missing, returns an empty object.
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
      let known = Word.allCases.map(\.rawValue)
      throw file.failure(
        .unknownValue, value.position,
        "`\(text)` is not a valid value; expected \(ListFormat.any(of: known.map { "`\($0)`" }))"
          + Suggestion.nearest(to: text, among: known))
    }
    return word
  }
}

// MARK: - Statements without effect

/// Finds probable mistakes in a conditional access policy, and conditions that are not simulated.
///
/// Source: Microsoft Graph, `conditionalAccessConditionSet`, `conditionalAccessUsers`, `conditionalAccessApplications`,
/// `conditionalAccessGrantControls`.
private struct ConditionalAccessChecker {
  private var properties: ObjectReader<ConditionalAccessKind>

  /// Returns the warnings about a policy.
  ///
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
    noteRetired(grant?["builtInControls"])
    // A policy for workloads intentionally includes no user.
    let isForNobody = users.map(Self.includesNobody) ?? true
    guard !isForNobody || !Self.isForWorkloads(conditions) else { return }
    noteUnsimulated(conditions)
    guard isForNobody else { return }
    properties.warn(
      .noUsers, users?.position ?? conditions.position,
      "the policy applies to no user: it includes no user")
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
  /// The documented keys of `applications`. They include user actions, authentication contexts and traffic profiles,
  /// although these are not resources and apps do not request tokens for them.
  private static let applications = [
    "applicationFilter", "excludeApplications", "globalSecureAccess", "includeApplications",
    "includeAuthenticationContextClassReferences", "includeUserActions", "networkAccess",
  ]
  private static let userControls = [
    "authenticationStrength", "customAuthenticationFactors", "termsOfUse",
  ]

  /// Returns whether grant controls include one that only the user can satisfy, such as terms of use.
  static func asksUser(_ grant: JSONValue) -> Bool {
    userControls.contains { grant[$0].map(isSet) ?? false }
  }

  /// Returns the names of conditions that are set but not simulated, including undocumented conditions.
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

  /// Returns the policy's conditions on groups, roles or guests.
  static func principals(
    in users: JSONValue
  ) -> (
    included: [ConditionalAccessPolicy.Principals], excluded: [ConditionalAccessPolicy.Principals]
  ) {
    let named = { (lists: [String], people: String) in
      let words = (users[people]?.array ?? []).compactMap { $0.string?.lowercased() }
      return lists.filter { users[$0].map(isSet) ?? false }.map { list in
        ConditionalAccessPolicy.Principals(
          condition: list, members: members(of: list, in: users[list]))
      }
        + (words.contains("guestsorexternalusers")
          ? [ConditionalAccessPolicy.Principals(condition: people, members: [.guests])] : [])
    }
    return (named(opaqueInclusions, "includeUsers"), named(opaqueExclusions, "excludeUsers"))
  }

  private static func members(
    of list: String, in value: JSONValue?
  ) -> [ConditionalAccessPolicy.Principal] {
    let ids = (value?.array ?? []).compactMap { $0.string?.lowercased() }
    if list.hasSuffix("Groups") { return ids.map { .group($0) } }
    return list.hasSuffix("Roles") ? ids.map { .role($0) } : [.guests]
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

  /// Warns about an unknown property if it has a value, or if its name is similar to a known name. Ignores other
  /// unknown properties, because Graph adds new properties, which often have no value.
  private mutating func noteUnknown(
    in object: JSONValue?, _ noun: String, _ known: [String]
  ) {
    for member in Self.members(of: object, where: { !known.contains($0) }) {
      let near = Suggestion.word(for: member.name, among: known)
      guard near != nil || Self.isSet(member.value) else { continue }
      properties.warnUnknown(member, of: "`\(noun)`", suggesting: near)
    }
  }

  // MARK: Values

  private mutating func noteRetired(_ controls: JSONValue?) {
    for value in controls?.array ?? [] {
      let control = ConditionalAccessPolicy.GrantControl.allCases.first {
        $0.rawValue.lowercased() == value.string?.lowercased()
      }
      guard let control, !control.isEnforced else { continue }
      properties.warn(
        .retiredControl, value.position,
        "`\(control.rawValue)` has no effect, because Microsoft Entra no longer enforces it; "
          + "`compliantApplication` replaces it")
    }
  }

  private mutating func noteUnsimulated(_ conditions: JSONValue) {
    let known = Self.unsimulatedConditions + Self.deviceLists + ["applicationFilter"]
    for member in Self.unsimulatedMembers(in: conditions) where known.contains(member.name) {
      properties.warn(
        .notSimulated, member.position,
        "`\(member.name)` is not simulated, and is assumed to be met")
    }
  }

  /// Returns whether the policy includes no users, groups, roles or guests.
  private static func includesNobody(_ users: JSONValue) -> Bool {
    let included = (users["includeUsers"]?.array ?? []).compactMap { $0.string?.lowercased() }
    return included.allSatisfy { $0 == "none" } && principals(in: users).included.isEmpty
  }

  /// Returns whether a condition with this value limits anything. False for null, an empty value, `all` and `none`.
  private static func isSet(_ value: JSONValue) -> Bool {
    if let members = value.members {
      return members.contains { !$0.name.contains("@odata.") && isSet($0.value) }
    }
    if let elements = value.array { return elements.contains(where: isSet) }
    if let text = value.string { return !["", "all", "none"].contains(text.lowercased()) }
    return !value.isNull
  }

  /// Returns whether the value contains data: false for null, and for objects and arrays that contain nothing but null.
  /// Unlike in ``isSet(_:)``, a keyword such as `All` is data.
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

package typealias ConditionalAccessErrors = DocumentErrors<ConditionalAccessErrorCode>

package enum ConditionalAccessErrorCode: String, DocumentErrorCode {
  case jsonSyntax, duplicateProperty, noPolicy, wrongType, missing, unknownValue
}

/// A probable mistake in a conditional access policy that remains usable.
package typealias ConditionalAccessWarning = DocumentWarning<ConditionalAccessWarningCode>

package enum ConditionalAccessWarningCode: String, DocumentWarningCode, CaseIterable {
  /// A property or value that Graph does not document.
  case unknownProperty
  /// A condition that is set but not simulated.
  case notSimulated
  /// A device filter whose rule cannot be parsed.
  case invalidFilter
  case noUsers
  /// A grant control that the service no longer enforces.
  case retiredControl
  /// Files of a folder that contain no policy.
  case skippedFiles
}
