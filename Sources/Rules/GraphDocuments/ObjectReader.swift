package import JSON
package import Output

/// Reads the properties of one object, and collects warnings.
package struct ObjectReader<Kind: DocumentKind> {
  package let object: JSONValue
  package let file: DocumentFile<Kind>
  package private(set) var warnings: [Kind.Warning] = []
  /// The properties that Graph does not document, in their order; see ``noteUnknown(among:)``.
  package private(set) var unknown: [JSONValue.Member] = []
  /// The number of letters that were compared for suggestions.
  private var comparisons = 0

  /// Creates a reader of `object`.
  package init(_ object: JSONValue, in file: DocumentFile<Kind>) {
    self.object = object
    self.file = file
  }

  /// The property of that name, whose value has the type; nil where it is absent.
  ///
  /// - Throws: ``DocumentError`` where the value has another JSON type.
  package func member(
    _ name: String, _ type: PropertyType
  ) throws(Kind.Failure) -> JSONValue.Member? {
    guard let member = object.property(name) else { return nil }
    try check(member, is: type)
    return member
  }

  /// Checks the JSON type of a property's value.
  ///
  /// - Parameter member: The property; its value is not null.
  /// - Throws: ``DocumentError`` where the value has another JSON type.
  package func check(
    _ member: JSONValue.Member, is type: PropertyType
  ) throws(Kind.Failure) {
    guard !type.admits(member.value) else { return }
    // YAML takes a version without quotes for a number.
    throw type == .text && member.name.lowercased().hasSuffix("version")
      ? file.unquoted(member.name, member.value)
      : file.mismatch("`\(member.name)` must be \(type.words)", member.value)
  }

  /// The error of breaking a rule at a place in the object's file.
  package func failure(
    _ code: Kind.ErrorCode, _ position: Position, _ message: String
  ) -> Kind.Failure {
    file.failure(code, position, message)
  }

  /// Adds a warning at a place in the object's file.
  package mutating func warn(
    _ code: Kind.WarningCode, _ position: Position, _ message: String
  ) {
    warnings.append(Kind.Warning(code, file: file.name, at: position, message))
  }

  /// Warns of an unknown property.
  ///
  /// - Parameters:
  ///   - noun: The thing that has no such property, with its article or in backticks.
  ///   - known: The known name that was probably meant; nil where none comes near.
  package mutating func warnUnknown(
    _ member: JSONValue.Member, of noun: String, suggesting known: String?
  ) {
    warnUnknown(member, of: noun, remedy: Suggestion.text(known))
  }

  private mutating func warnUnknown(
    _ member: JSONValue.Member, of noun: String, remedy: String
  ) {
    warn(
      .unknownProperty, member.position,
      "`\(member.name)` is no property of \(noun) and has no effect" + remedy)
  }

  /// The known word that `word` nearly is; see ``Vocabulary``. The number of comparisons for one object is limited.
  package mutating func nearest(to word: String, among known: Vocabulary) -> String? {
    known.nearest(to: word, &comparisons)
  }

  /// The warnings in the order of their places.
  package var sortedWarnings: [Kind.Warning] {
    warnings.sorted {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
  }
}

extension ObjectReader where Kind: AppDocumentKind {
  /// Keeps unknown properties, and warns of those that have a value or resemble a known one. Annotations of Graph and
  /// keys of exporters are ignored.
  ///
  /// - Parameter remedy: The end of the warning for a name with a meaning of its own, such as a label of the admin
  ///   centre;
  ///   nil: the nearest known name is suggested.
  package mutating func noteUnknown(
    among known: KnownProperties, remedy: (JSONValue.Member) -> String? = { _ in nil }
  ) {
    for member in object.members ?? []
    where known.type(of: member.name) == nil && !member.isAnnotation && !member.isToolKey {
      unknown.append(member)
      if let remedy = remedy(member) {
        warnUnknown(member, of: Kind.indefiniteName, remedy: remedy)
        continue
      }
      let plain = member.name.filter { $0 != "_" && $0 != "-" }
      let meant = nearest(to: plain, among: known.names)
      guard meant != nil || member.statesAnything else { continue }
      warnUnknown(member, of: Kind.indefiniteName, remedy: Suggestion.text(meant))
    }
  }
}

// MARK: - Words

/// Values that are one of several words, and names with white space around them.
extension ObjectReader where Kind: AppDocumentKind {
  /// The value of an enumeration in `member`, whose JSON type has been checked.
  ///
  /// - Throws: ``DocumentError`` where the value is unknown.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ member: JSONValue.Member
  ) throws(Kind.Failure) -> Choice {
    try choice(member.value, of: member)
  }

  /// One value, or one element of the list, of an enumeration.
  ///
  /// - Throws: ``DocumentError`` where the value is unknown.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, of member: JSONValue.Member
  ) throws(Kind.Failure) -> Choice {
    let text = value.string ?? ""
    if let choice = Choice(rawValue: text) { return choice }
    throw unknownValue(text, of: member.name, at: value.position, among: Choice.self)
  }

  /// The error of a value that is none of the enumeration's.
  package func unknownValue<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, of name: String, at position: Position, among choices: Choice.Type
  ) -> Kind.Failure {
    let known = choices.allCases.map(\.rawValue)
    return failure(
      .unknownValue, position,
      "`\(text)` is no value of `\(name)`; expected \(Kind.list(known))"
        + Suggestion.nearest(to: text, among: known))
  }

  /// A string without the white space around it, of which it warns; `noun` names the value.
  package mutating func trimmed(_ value: JSONValue, _ noun: String) -> String {
    let text = value.string ?? ""
    let trimmed = text.trimmed
    if trimmed.utf8.count != text.utf8.count {
      warn(.whiteSpace, value.position, "white space around the \(noun) `\(trimmed)` is ignored")
    }
    return trimmed
  }
}

// MARK: - Apps and assignments

/// The properties that state the apps that the document is for, and its assignments.
extension ObjectReader where Kind: AppDocumentKind {
  /// Reads the apps and device states that the document is for.
  ///
  /// - Throws: ``DocumentError`` where a property has another JSON type than Graph gives it, or an unknown value.
  package mutating func targeting() throws(Kind.Failure) -> Targeting {
    let group: Targeting.AppGroup =
      try member("appGroupType", .text).map(choice) ?? .selectedPublicApps
    return Targeting(bundleIDs: try bundleIDs(), appGroup: group, levels: try levels())
  }

  /// Warns where neither an app nor a group of apps is named.
  package mutating func warn(ofNoAppIn targeting: Targeting) {
    guard targeting.bundleIDs.isEmpty, targeting.appGroup == .selectedPublicApps else { return }
    warn(
      .noApps, object.property("apps")?.position ?? object.position,
      "\(Kind.definiteName) names no app and no group of apps; exports without `$expand=apps` lose "
        + "them")
  }

  /// Warns where the document is assigned to nobody.
  package mutating func warnOfEmptyAssignments() {
    guard let member = object.property("assignments"), member.value.array?.isEmpty == true else {
      return
    }
    warn(
      .emptyAssignments, member.position,
      "\(Kind.definiteName) is assigned to nobody: `assignments` is empty")
  }

  /// The conditions of the object's assignments that only the directory can judge.
  package func membership() -> Set<MembershipCondition> {
    let targets = (object["assignments"]?.array ?? []).compactMap { $0["target"] }
    return targets.reduce(into: []) { $0.formUnion(MembershipCondition.conditions(of: $1)) }
  }

  private mutating func bundleIDs() throws(Kind.Failure) -> [String] {
    var bundleIDs: [String] = []
    for app in try member("apps", .list)?.value.array ?? [] {
      let bundleID = try bundleID(of: app)
      if !bundleID.isEmpty {
        bundleIDs.append(bundleID)
      } else if let code = Kind.appWithoutBundleID {
        warn(code, app.position, "the app has no `mobileAppIdentifier.bundleId`")
      }
    }
    return bundleIDs
  }

  /// The bundle id of an app; empty where there is none.
  private mutating func bundleID(of app: JSONValue) throws(Kind.Failure) -> String {
    guard let value = app["mobileAppIdentifier"]?["bundleId"], !value.isNull else { return "" }
    guard value.string != nil else { throw file.mismatch("`bundleId` must be a string", value) }
    return trimmed(value, "bundle id")
  }

  /// The levels of management. Graph writes several with commas between; nil: every state.
  private func levels() throws(Kind.Failure) -> Set<Targeting.Level>? {
    guard let member = try member("targetedAppManagementLevels", .text) else { return nil }
    let names = (member.value.string ?? "").split(separator: ",").map(\.trimmed)
      .filter { !$0.isEmpty }
    guard !names.isEmpty else { return nil }
    var levels: Set<Targeting.Level> = []
    for name in names where !Targeting.Level.ofOtherPlatforms.contains(name) {
      guard let level = Targeting.Level(rawValue: name) else {
        throw unknownValue(
          name, of: member.name, at: member.value.position, among: Targeting.Level.self)
      }
      levels.insert(level)
    }
    return levels
  }
}

// MARK: - JSON of Graph

extension JSONValue {
  /// The objects that Graph answers or a tool exports: the elements of an array, or of the `value` of
  /// `{"value": […]}`, or the object in `{"value": {…}}`; otherwise the value alone.
  ///
  /// Source: Microsoft Graph, "Get iosManagedAppProtection", whose answer is `{"value": {…}}`.
  package var elementsOrSelf: [JSONValue] {
    if let array { return array }
    guard let value = self["value"] else { return [self] }
    return value.array ?? (value.members == nil ? [self] : [value])
  }

  /// The last property of that name; nil where there is none, and where it is null, by which Graph means the same.
  package func property(_ name: String) -> Member? {
    members?.last { $0.name == name }.flatMap { $0.value.isNull ? nil : $0 }
  }
}

extension JSONValue.Member {
  /// Whether the member is Graph's own: `@odata.…`, also of single properties, and actions such as
  /// `#microsoft.graph.assign`.
  package var isAnnotation: Bool { name.contains("@odata.") || name.hasPrefix("#") }

  /// Whether the member is an exporter's own: a name that begins with `$` or `_`, a tag in capitals such as `SVC` or `ENV`,
  /// or `supportsScopeTags`, which tools copy from device configurations. Properties of Graph are named in camel case.
  fileprivate var isToolKey: Bool {
    name.hasPrefix("$") || name.hasPrefix("_") || name == "supportsScopeTags"
      || !name.isEmpty
        && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
  }

  /// Whether the value states anything: null, false, zero and empty values are what exporters write for "not set".
  package var statesAnything: Bool {
    switch value.kind {
    case .null: false
    case .bool(let flag): flag
    case .number: value.int != 0
    case .string(let text): !text.isEmpty && text != "notConfigured"
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    }
  }
}

extension StringProtocol {
  /// The text without the white space around it.
  package var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
