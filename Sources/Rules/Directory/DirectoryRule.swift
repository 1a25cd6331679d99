package import Model
package import Predicates

/// A condition on the attributes of a user, a device or an app. Dynamic groups, assignment filters and conditional
/// access's device filters have such rules.
///
/// The three kinds of rules share one language; ``RuleDialect`` states the attributes and operators of each kind.
///
/// Sources: Microsoft Learn, "Manage rules for dynamic membership groups", "App and device properties, operators, and
/// rule editing when creating assignment filters", "Conditional Access: Filter for devices".
package indirect enum DirectoryRule: Sendable {
  case comparison(RuleComparison)
  /// Met if elements of a collection meet the inner rule: at least one or all, depending on the quantifier.
  case elements(of: RuleAttribute, RuleQuantifier, DirectoryRule)
  case not(DirectoryRule)
  case and(DirectoryRule, DirectoryRule)
  case or(DirectoryRule, DirectoryRule)
  /// `Direct Reports for "…"`: met by the users whose manager has this object id, in lower case.
  case directReports(of: String)

  package func result(for subject: some RuleSubject) -> RuleResult {
    switch self {
    case .comparison(let comparison):
      comparison.result(for: subject.value(of: comparison.attribute))
    case .elements(let attribute, let quantifier, let rule):
      quantifier.result(
        of: rule, over: subject.value(of: attribute, among: quantifier == .any ? rule.ids : nil),
        attribute)
    case .not(let rule): !rule.result(for: subject)
    case .and(let left, let right): left.result(for: subject) && right.result(for: subject)
    case .or(let left, let right): left.result(for: subject) || right.result(for: subject)
    case .directReports(let manager):
      switch subject.value(of: .manager) {
      case .null, .unavailable: .isNotMet
      case .unknown: .unknown([RuleAttribute.manager.name])
      case .strings(let ids): RuleResult(ids.contains { $0.lowercased() == manager })
      case .objects: .isNotMet
      }
    }
  }

  package var attributes: Set<RuleAttribute> {
    switch self {
    case .comparison(let comparison): [comparison.attribute]
    case .elements(let attribute, _, _): [attribute]
    case .not(let rule): rule.attributes
    case .and(let left, let right), .or(let left, let right):
      left.attributes.union(right.attributes)
    case .directReports: [.manager]
    }
  }

  /// The lowercase ids of the groups whose direct members the rule tests for; empty if there are none.
  var groupIDs: [String] {
    switch self {
    case .elements(.memberOf, _, let rule): rule.ids ?? []
    case .not(let rule): rule.groupIDs
    case .and(let left, let right), .or(let left, let right): left.groupIDs + right.groupIDs
    case .comparison, .elements, .directReports: []
    }
  }

  /// The lowercase ids with which the rule compares an element, if it tests only whether the element equals one of
  /// them; otherwise nil.
  fileprivate var ids: [String]? {
    switch self {
    case .comparison(let comparison):
      guard [.eq, .in].contains(comparison.operator), case .texts(let ids) = comparison.operand
      else { return nil }
      return ids
    case .or(let left, let right):
      guard let some = left.ids, let others = right.ids else { return nil }
      return some + others
    case .elements, .not, .and, .directReports: return nil
    }
  }
}

/// The subject of a rule: a user, a device or an app.
package protocol RuleSubject {
  /// Returns the value of an attribute; ``RuleValue/unknown`` if the input does not state it.
  func value(of attribute: RuleAttribute) -> RuleValue

  /// Returns the value of an attribute. If `ids` is given, a collection may omit all elements that equal none of them.
  ///
  /// - Parameter ids: The lowercase ids with which the rule compares each element; nil if it needs all elements.
  func value(of attribute: RuleAttribute, among ids: [String]?) -> RuleValue
}

extension RuleSubject {
  package func value(of attribute: RuleAttribute, among ids: [String]?) -> RuleValue {
    value(of: attribute)
  }
}

/// A known value of an attribute, or the reason why there is none.
package enum RuleValue: Sendable, Hashable {
  /// The directory has no value for the attribute.
  case null
  /// The input does not state the value.
  case unknown
  /// The attribute does not exist for this kind of subject, so every comparison is false.
  ///
  /// Source: Microsoft Learn, "Conditional Access: Filter for devices", policy behavior: extension attributes of
  /// devices that are neither managed nor compliant nor hybrid joined.
  case unavailable
  /// A single string, or the strings of a collection.
  case strings([String])
  /// The objects of a collection. Each is a dictionary of its properties by name.
  case objects([[String: String]])
}

/// The result of a rule: met, not met or unknown.
package enum RuleResult: Sendable, Hashable {
  case isMet, isNotMet
  /// Unknown, because the input does not state these attributes.
  case unknown(Set<String>)

  package init(_ isMet: Bool) { self = isMet ? .isMet : .isNotMet }

  /// Negates the result. The negation of an unknown result is unknown.
  package static prefix func ! (result: RuleResult) -> RuleResult {
    switch result {
    case .isMet: .isNotMet
    case .isNotMet: .isMet
    case .unknown: result
    }
  }

  /// Combines two results by `and`. If either side is not met, the result is not met, even if the other side is
  /// unknown.
  package static func && (left: RuleResult, right: RuleResult) -> RuleResult {
    switch (left, right) {
    case (.isNotMet, _), (_, .isNotMet): .isNotMet
    case (.isMet, let other), (let other, .isMet): other
    case (.unknown(let some), .unknown(let others)): .unknown(some.union(others))
    }
  }

  /// Combines two results by `or`. If either side is met, the result is met, even if the other side is unknown.
  package static func || (left: RuleResult, right: RuleResult) -> RuleResult {
    !(!left && !right)
  }

  /// Whether the rule is met; nil if unknown.
  package var isMet: Bool? {
    switch self {
    case .isMet: true
    case .isNotMet: false
    case .unknown: nil
    }
  }
}

/// The number of elements of a collection that must meet a rule: at least one, or all.
package enum RuleQuantifier: String, Sendable, CaseIterable {
  /// At least one element.
  case any
  /// Every element. If the collection is empty, the rule is tested with null: Learn selects users without a service
  /// plan by `user.assignedPlans -all (assignedPlan.servicePlanId -eq null)`.
  case all

  fileprivate func result(
    of rule: DirectoryRule, over value: RuleValue, _ attribute: RuleAttribute
  ) -> RuleResult {
    let elements: [[String: String]]
    switch value {
    case .unknown: return .unknown([attribute.name])
    case .unavailable: return .isNotMet
    case .null: elements = []
    case .strings(let strings): elements = strings.map { [RuleAttribute.elementName: $0] }
    case .objects(let objects): elements = objects
    }
    guard !elements.isEmpty else {
      return self == .all ? rule.result(for: CollectionElement(properties: [:])) : .isNotMet
    }
    let results = elements.map { rule.result(for: CollectionElement(properties: $0)) }
    return switch self {
    case .any: results.reduce(.isNotMet) { $0 || $1 }
    case .all: results.reduce(.isMet) { $0 && $1 }
    }
  }
}

/// An element of a collection as the subject of a rule. A property that the element does not have is null.
private struct CollectionElement: RuleSubject {
  let properties: [String: String]

  func value(of attribute: RuleAttribute) -> RuleValue {
    properties[attribute.name].map { .strings([$0]) } ?? .null
  }
}

// MARK: - Comparison

/// A comparison of an attribute with the values that the rule states.
package struct RuleComparison: Sendable {
  /// The right side of a comparison.
  package enum Operand: Sendable {
    case null
    /// A text, or the texts of a list. All are in lower case.
    case texts([String])
    case pattern(Pattern)
    case version(Version)
    /// A date in ISO 8601.
    case date(String)
    /// `system.now`, the current time, with or without an added duration.
    case now
  }

  package let attribute: RuleAttribute
  /// The operator. If the attribute is null, negative operators (`-ne`, `-not…`) are true, except that `-ne null` is
  /// false.
  package let `operator`: RuleOperator
  package let operand: Operand

  func result(for value: RuleValue) -> RuleResult {
    switch (value, operand) {
    case (.unknown, _): .unknown([attribute.name])
    case (.unavailable, _): .isNotMet
    case (.null, .null): RuleResult(!`operator`.isNegative)
    case (.null, .texts), (.null, .pattern), (.null, .version), (.null, .date), (.null, .now),
      (.strings, .null), (.objects, _):
      RuleResult(`operator`.isNegative)
    case (.strings(let strings), .texts(let texts)):
      RuleResult(
        strings.contains { string in
          texts.contains { `operator`.holds(string.lowercased(), $0, attribute.kind) }
        } != `operator`.isNegative)
    case (.strings(let strings), .pattern(let pattern)):
      result(of: pattern, in: strings)
    case (.strings(let strings), .version(let version)):
      RuleResult(
        strings.contains { Version($0).map { `operator`.holds($0, version) } ?? false }
          != `operator`.isNegative)
    case (.strings(let strings), .date(let date)):
      RuleResult(
        strings.contains { `operator`.holds($0.uppercased(), date) } != `operator`.isNegative)
    case (.strings, .now): .unknown(["system.now"])
    }
  }

  /// Returns whether the pattern matches any of the strings or, for a negative operator, none of them. The result is
  /// unknown if matching exceeds the work budget.
  private func result(of pattern: Pattern, in strings: [String]) -> RuleResult {
    var work = WorkBudget()
    let isMatch = strings.contains { pattern.matches($0, &work) }
    guard !work.isExhausted else { return .unknown([attribute.name]) }
    return RuleResult(isMatch != `operator`.isNegative)
  }
}

/// An operator of the rule language. The dialect determines which operators are allowed for which kind of attribute.
package enum RuleOperator: String, Sendable, CaseIterable {
  case eq, ne, startsWith, notStartsWith, endsWith, notEndsWith, contains, notContains
  case match, notMatch
  case `in`, notIn
  case gt, ge, lt, le

  /// Whether the operator negates another operator: `-ne`, or one that begins with `-not`.
  var isNegative: Bool { self == .ne || rawValue.hasPrefix("not") }

  var takesList: Bool { self == .in || self == .notIn }

  /// The operator as written in a rule: `-eq`.
  package var spelling: String { "-\(rawValue)" }

  /// Parses an operator's name, ignoring case. The hyphen may be missing. Nil if there is no such operator.
  init?(_ word: String) {
    let name = (word.hasPrefix("-") ? String(word.dropFirst()) : word).lowercased()
    // Microsoft Learn also uses these names for the first two operators.
    let known = ["equals": "eq", "notequals": "ne"][name] ?? name
    guard let match = Self.allCases.first(where: { $0.rawValue.lowercased() == known }) else {
      return nil
    }
    self = match
  }

  /// Returns whether the comparison of two lowercase texts is true. The result of a negative operator is not negated
  /// yet; the caller negates it.
  fileprivate func holds(_ text: String, _ value: String, _ kind: RuleAttribute.Kind) -> Bool {
    switch self {
    case .eq, .ne, .in, .notIn: text == value
    case .startsWith, .notStartsWith: text.hasPrefix(value)
    case .endsWith, .notEndsWith: text.hasSuffix(value)
    case .contains, .notContains:
      kind == .collection ? text == value : value.isEmpty || text.contains(value)
    // These operators take patterns, versions or dates instead.
    case .match, .notMatch, .gt, .ge, .lt, .le: false
    }
  }

  /// Returns whether the comparison of two ordered values is true. The result of a negative operator is not negated
  /// yet; the caller negates it.
  fileprivate func holds<Value: Comparable>(_ value: Value, _ other: Value) -> Bool {
    switch self {
    case .eq, .ne: value == other
    case .gt: value > other
    case .ge: value >= other
    case .lt: value < other
    case .le: value <= other
    case .startsWith, .notStartsWith, .endsWith, .notEndsWith, .contains, .notContains, .match,
      .notMatch, .in, .notIn:
      false
    }
  }
}

// MARK: - Attributes and dialects

/// An attribute that the rules of a dialect can read.
package struct RuleAttribute: Sendable, Hashable {
  /// The kind of an attribute's values. It determines the allowed operators.
  package enum Kind: Sendable, Hashable {
    /// An identifier, or a word from a fixed list.
    case word
    case text
    case boolean
    /// Dotted numbers, compared number by number.
    case version
    /// A date in ISO 8601.
    case date
    /// Strings, each compared as a whole.
    case collection
    /// Strings. `-any` and `-all` apply a rule to each string. Other operators are true if they are true for any
    /// string.
    case texts
    /// Objects. Rules read them only with `-any` and `-all`, which apply a rule to each object.
    case objects
  }

  /// The name in Microsoft's documentation, such as `department`.
  package let name: String
  package let kind: Kind

  package init(_ name: String, _ kind: Kind = .text) {
    self.name = name
    self.kind = kind
  }

  /// The name by which a rule refers to the current element of a collection of strings.
  static let elementName = "_"
  static let manager = RuleAttribute("manager", .word)
}

/// The dialect of one kind of rule: the subject, its attributes, and the operators for each kind of attribute.
package struct RuleDialect: Sendable {
  /// The word before the dot in the names of attributes: `device`, `app` or `user`. For elements of collections, it is
  /// `_`, `assignedPlan` or `group`.
  package let subject: String
  /// The term for rules of this kind in messages, such as `filters`.
  let noun: String
  /// The name of the attribute that error messages use as an example.
  private let example: String
  private let attributes: [String: RuleAttribute]
  /// Alternative names of attributes, each with the attribute's usual name, all in lower case.
  private let aliases: [String: String]
  private let operators: @Sendable (RuleAttribute.Kind) -> [RuleOperator]
  /// Whether `-any`, `-all` and `Direct Reports for` are allowed.
  let hasCollections: Bool
  /// The prefix of the names of custom attributes, which a tenant defines; nil if the dialect has none.
  private let customPrefix: String?

  private init(
    subject: String, noun: String, example: String, _ attributes: [RuleAttribute],
    aliases: [String: String] = [:], hasCollections: Bool = false, customPrefix: String? = nil,
    operators: @escaping @Sendable (RuleAttribute.Kind) -> [RuleOperator]
  ) {
    self.subject = subject
    self.noun = noun
    self.example = example
    self.attributes = Dictionary(
      attributes.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    self.aliases = aliases
    self.hasCollections = hasCollections
    self.customPrefix = customPrefix
    self.operators = operators
  }

  var exampleName: String { "\(subject).\(example)" }

  /// Returns the attribute with this name, ignoring case; nil if there is none.
  package func attribute(_ name: String) -> RuleAttribute? {
    let name = name.lowercased()
    if let known = attributes[aliases[name] ?? name] { return known }
    if let customPrefix, name.hasPrefix(customPrefix) { return RuleAttribute(name) }
    return nil
  }

  var names: [String] { attributes.values.map(\.name) }

  var kinds: Set<RuleAttribute.Kind> { Set(attributes.values.map(\.kind)) }

  func supported(by attribute: RuleAttribute) -> [RuleOperator] { operators(attribute.kind) }

  /// The dialect of the device filters in conditional access policies.
  package static let conditionalAccessDevices = RuleDialect(
    subject: "device", noun: "filters", example: "isCompliant",
    DirectoryAttribute.allCases.map { attribute in
      switch attribute.kind {
      case .identifier, .word: RuleAttribute(attribute.rawValue, .word)
      case .collection: RuleAttribute(attribute.rawValue, .collection)
      case .text: RuleAttribute(attribute.rawValue)
      }
    },
    // Rules of groups use this name, and an example of a filter in Microsoft Learn did so too.
    aliases: ["devicephysicalids": "physicalids"]
  ) { kind in
    switch kind {
    // Operators for lists of words appeared in Learn's own examples and still occur in
    // administrators' rules.
    case .word, .boolean: [.eq, .ne, .in, .notIn]
    case .collection, .texts, .objects: [.contains, .notContains]
    case .text:
      [
        .eq, .ne, .startsWith, .notStartsWith, .endsWith, .notEndsWith, .contains, .notContains,
        .in, .notIn,
      ]
    case .version, .date: []
    }
  }

  /// The dialect of assignment filters for managed apps, whose platform is `iOSMobileApplicationManagement`.
  package static let managedApps = RuleDialect(
    subject: "app", noun: "filters for managed apps", example: "osVersion",
    [
      RuleAttribute("appVersion"), RuleAttribute("deviceManagementType", .word),
      RuleAttribute("deviceManufacturer"), RuleAttribute("deviceModel"),
      RuleAttribute("operatingSystemVersion", .version), RuleAttribute("osVersion"),
    ], operators: filterOperators)

  /// The dialect of assignment filters for managed devices, whose platform is `iOS`.
  package static let managedDevices = RuleDialect(
    subject: "device", noun: "filters for managed devices", example: "deviceOwnership",
    [
      RuleAttribute("cpuArchitecture"), RuleAttribute("deviceCategory"),
      RuleAttribute("deviceName"), RuleAttribute("deviceOwnership", .word),
      RuleAttribute("deviceTrustType"), RuleAttribute("enrollmentProfileName"),
      RuleAttribute("isRooted", .word), RuleAttribute("manufacturer"), RuleAttribute("model"),
      RuleAttribute("operatingSystemSKU"), RuleAttribute("operatingSystemVersion", .version),
      RuleAttribute("osVersion"),
    ], operators: filterOperators)

  /// Returns the operators of assignment filters for a kind of attribute. The kind `word` has `-in`, although Learn
  /// shows this operator only for other kinds, because Intune's editor accepts it.
  private static let filterOperators: @Sendable (RuleAttribute.Kind) -> [RuleOperator] = { kind in
    switch kind {
    case .word, .boolean: [.eq, .ne, .in, .notIn]
    case .text, .texts, .collection:
      [.eq, .ne, .in, .notIn, .startsWith, .contains, .notContains]
    case .version: [.eq, .ne, .gt, .ge, .lt, .le]
    case .date, .objects: []
    }
  }

  /// The dialect of the membership rules of dynamic user groups.
  package static let users = RuleDialect(
    subject: "user", noun: "membership rules of users", example: "department",
    ["accountEnabled", "dirSyncEnabled"].map { RuleAttribute($0, .boolean) }
      + [RuleAttribute("employeeHireDate", .date)]
      + [
        "city", "companyName", "country", "department", "displayName", "employeeId",
        "facsimileTelephoneNumber", "givenName", "jobTitle", "mail", "mailNickname", "mobile",
        "objectId", "onPremisesDistinguishedName", "onPremisesSecurityIdentifier",
        "passwordPolicies", "physicalDeliveryOfficeName", "postalCode", "preferredLanguage",
        "sipProxyAddress", "state", "streetAddress", "surname", "telephoneNumber",
        "usageLocation", "userPrincipalName", "userType",
      ].map { RuleAttribute($0) }
      + (1...15).map { RuleAttribute("extensionAttribute\($0)") }
      + ["otherMails", "proxyAddresses"].map { RuleAttribute($0, .texts) }
      + ["assignedPlans", "memberOf"].map { RuleAttribute($0, .objects) },
    hasCollections: true, customPrefix: "extension_", operators: membershipOperators)

  /// The dialect of the membership rules of dynamic device groups.
  package static let devices = RuleDialect(
    subject: "device", noun: "membership rules of devices", example: "deviceOSType",
    ["accountEnabled", "isRooted"].map { RuleAttribute($0, .boolean) }
      + [
        "deviceCategory", "deviceId", "deviceManagementAppId", "deviceManufacturer", "deviceModel",
        "deviceOSType", "deviceOSVersion", "deviceOwnership", "deviceTrustType", "displayName",
        "enrollmentProfileName", "managementType", "objectId", "profileType",
      ].map { RuleAttribute($0) }
      + (1...15).map { RuleAttribute("extensionAttribute\($0)") }
      + ["devicePhysicalIds", "systemLabels"].map { RuleAttribute($0, .texts) }
      + [RuleAttribute("memberOf", .objects)],
    hasCollections: true, operators: membershipOperators)

  private static let membershipOperators: @Sendable (RuleAttribute.Kind) -> [RuleOperator] = {
    kind in
    switch kind {
    case .word, .boolean: [.eq, .ne, .in, .notIn]
    case .text, .texts, .collection:
      [
        .eq, .ne, .startsWith, .notStartsWith, .endsWith, .notEndsWith, .contains, .notContains,
        .match, .notMatch, .in, .notIn,
      ]
    case .date, .version: [.eq, .ne, .gt, .ge, .lt, .le]
    case .objects: []
    }
  }

  /// The rule attributes that have another name in Graph or in tables. The key is this other name in lower case; the
  /// value is the attribute's name.
  static let renamed = Dictionary(
    uniqueKeysWithValues: DirectoryReader.otherNames.map { ($0.key.lowercased(), $0.value) })

  /// Returns the dialect of rules on the elements of a collection, with attributes such as `_`, `assignedPlan.service`
  /// or `group.objectId`. Nil if the attribute is not a collection.
  func elements(of attribute: RuleAttribute) -> RuleDialect? {
    let properties: (subject: String, names: [String])? =
      switch attribute.name {
      case "assignedPlans": ("assignedPlan", ["capabilityStatus", "service", "servicePlanId"])
      case "memberOf": ("group", ["objectId"])
      default:  // open: names of attributes
        attribute.kind == .texts ? (RuleAttribute.elementName, [RuleAttribute.elementName]) : nil
      }
    guard let properties else { return nil }
    return RuleDialect(
      subject: properties.subject, noun: "elements of `\(attribute.name)`",
      example: properties.names[0], properties.names.map { RuleAttribute($0) },
      operators: Self.membershipOperators)
  }
}
