package import Encodings
package import Output

/// Reads the properties of one object and collects warnings.
package struct ObjectReader<Kind: DocumentKind> {
  package let object: JSONValue
  package let file: DocumentFile<Kind>
  package private(set) var warnings: [Kind.Warning] = []
  /// The errors collected by ``read(_:)``.
  package private(set) var errors = Kind.ErrorCollector()
  /// The properties that Graph does not document, in file order. ``noteUnknown(among:remedy:)`` adds them.
  package private(set) var unknown: [JSONValue.Member] = []
  /// The number of letters compared so far to find suggestions.
  private var comparisons = 0

  package init(_ object: JSONValue, in file: DocumentFile<Kind>) {
    self.object = object
    self.file = file
  }

  /// Returns the property with this name, after checking the type of its value. Nil if it is absent or null.
  ///
  /// - Throws: ``DocumentError`` if the value does not have the type.
  package func member(
    _ name: String, _ type: PropertyType
  ) throws(Kind.Failure) -> JSONValue.Member? {
    guard let member = object.property(name) else { return nil }
    try check(member, is: type)
    return member
  }

  /// Checks the type of a property's value.
  ///
  /// - Parameter member: A property whose value is not null.
  /// - Throws: ``DocumentError`` if the value does not have the type.
  package func check(
    _ member: JSONValue.Member, is type: PropertyType
  ) throws(Kind.Failure) {
    guard !type.admits(member.value) else { return }
    // YAML parses an unquoted version as a number.
    throw type == .text && member.name.lowercased().hasSuffix("version")
      ? file.unquoted(member.name, member.value)
      : file.mismatch("`\(member.name)` must be \(type.words)", member.value)
  }

  package func failure(
    _ code: Kind.ErrorCode, _ position: Position, _ message: String
  ) -> Kind.Failure {
    file.failure(code, position, message)
  }

  /// Reads a part of the object by calling `part`. If that throws an error, adds the error to ``errors`` and returns
  /// nil.
  @discardableResult
  package mutating func read<Value>(
    _ part: (inout Self) throws(Kind.Failure) -> Value
  ) -> Value? {
    do throws(Kind.Failure) {
      return try part(&self)
    } catch {
      errors.add(error)
      return nil
    }
  }

  package mutating func warn(
    _ code: Kind.WarningCode, _ position: Position, _ message: String
  ) {
    warnings.append(Kind.Warning(code, file: file.name, at: position, message))
  }

  /// Adds the warning about an unknown property.
  ///
  /// - Parameters:
  ///   - noun: The object that contains the unknown property, with an article or in backticks.
  ///   - known: The known name to suggest instead; nil if none is similar.
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
      "`\(member.name)` is not a property of \(noun) and has no effect" + remedy)
  }

  /// Returns the known word that is most similar to `word`; see ``Vocabulary``. Nil if none is similar, or after too
  /// many comparisons for this object.
  package mutating func nearest(to word: String, among known: Vocabulary) -> String? {
    known.nearest(to: word, &comparisons)
  }

  /// The warnings, ordered by position.
  package var sortedWarnings: [Kind.Warning] {
    warnings.sorted {
      ($0.position.line, $0.position.column) < ($1.position.line, $1.position.column)
    }
  }
}

extension ObjectReader where Kind: AppDocumentKind {
  /// Adds the unknown properties to ``unknown``. Warns about each property that is set, resembles a known name, or has
  /// a remedy. Ignores Graph's annotations and the keys that export tools add.
  ///
  /// - Parameter remedy: Returns the end of the warning if it recognises the name, for example as an admin centre
  ///   label. If it returns nil, the warning suggests the nearest known name.
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

extension ObjectReader where Kind: AppDocumentKind {
  /// Returns the property's value as a case of `Choice`. The value must be a string.
  ///
  /// - Throws: ``DocumentError`` if no case has this value.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ member: JSONValue.Member
  ) throws(Kind.Failure) -> Choice {
    try choice(member.value, of: member)
  }

  /// Returns `value` as a case of `Choice`. It must be a string: the value of `member`, or an element of that value.
  ///
  /// - Throws: ``DocumentError`` if no case has this value.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue, of member: JSONValue.Member
  ) throws(Kind.Failure) -> Choice {
    let text = value.string ?? ""
    if let choice = Choice(rawValue: text) { return choice }
    throw unknownValue(text, of: member.name, at: value.position, among: Choice.self)
  }

  package func unknownValue<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, of name: String, at position: Position, among choices: Choice.Type
  ) -> Kind.Failure {
    let known = choices.allCases.map(\.rawValue)
    return failure(
      .unknownValue, position,
      "`\(text)` is not a value of `\(name)`; expected \(Kind.list(known))"
        + Suggestion.nearest(to: text, among: known))
  }

  /// Returns the string without white space at its start and end, and warns if it had any.
  ///
  /// - Parameter noun: The noun for the value in the warning.
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

/// Reads the properties that state a document's apps and assignments.
extension ObjectReader where Kind: AppDocumentKind {
  /// Reads the targeted apps and device states. If a property has a wrong type or an unknown value, collects an error
  /// and uses the default.
  package mutating func targeting() -> Targeting {
    let group: Targeting.AppGroup? = read { reader throws(Kind.Failure) in
      try reader.member("appGroupType", .text).map(reader.choice) ?? .selectedPublicApps
    }
    let bundleIDs = read { reader throws(Kind.Failure) in try reader.bundleIDs() }
    let levels = read { reader throws(Kind.Failure) in try reader.levels() }
    return Targeting(
      bundleIDs: bundleIDs ?? [], appGroup: group ?? .selectedPublicApps, levels: levels ?? nil)
  }

  /// Warns if neither an app nor an app group is targeted.
  package mutating func warn(ofNoAppIn targeting: Targeting) {
    guard targeting.bundleIDs.isEmpty, targeting.appGroup == .selectedPublicApps else { return }
    warn(
      .noApps, object.property("apps")?.position ?? object.position,
      "\(Kind.definiteName) names no app and no group of apps; exports without `$expand=apps` omit "
        + "the apps")
  }

  package mutating func warnOfEmptyAssignments() {
    guard let member = object.property("assignments"), member.value.array?.isEmpty == true else {
      return
    }
    warn(
      .emptyAssignments, member.position,
      "\(Kind.definiteName) is not assigned: `assignments` is empty")
  }

  package func assignments() -> [Assignment]? { Assignment.assignments(of: object) }

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

  /// Returns the bundle id in an entry of `apps`; empty if the entry has none.
  private mutating func bundleID(of app: JSONValue) throws(Kind.Failure) -> String {
    guard let value = app["mobileAppIdentifier"]?["bundleId"], !value.isNull else { return "" }
    guard value.string != nil else { throw file.mismatch("`bundleId` must be a string", value) }
    return trimmed(value, "bundle id")
  }

  /// Reads the targeted device states, which Graph writes as one text, separated by commas. Nil if the document targets
  /// every state.
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

// MARK: - Graph JSON

/// The objects in a Graph response or an export, as ``JSON/JSONValue/elementsOrSelf`` defines them. The sequence parses
/// the objects one at a time.
package struct GraphObjects: Sequence, IteratorProtocol {
  /// The file's value. A list of objects in it is empty here, because the objects are parsed one at a time.
  package let root: JSONValue
  package var hasList: Bool { elements.hasList }
  private var elements: JSONElements
  /// The only object of a file without a list, until it is returned; empty for a file with a list.
  private var single: [JSONValue]

  /// - Throws: ``JSON/JSONSyntaxError`` if `bytes` are not JSON.
  package init(of bytes: [UInt8]) throws(JSONSyntaxError) {
    elements = try JSONElements(of: bytes, in: "value")
    root = elements.root
    single = elements.hasList ? [] : root.elementsOrSelf
  }

  package mutating func next() -> JSONValue? { single.popLast() ?? elements.next() }
}

extension JSONValue {
  /// The objects in a Graph response or an export: the elements of an array or of `{"value": […]}`, the object in
  /// `{"value": {…}}`, or otherwise the value itself.
  ///
  /// Source: Microsoft Graph, "Get iosManagedAppProtection", whose response is `{"value": {…}}`.
  package var elementsOrSelf: [JSONValue] {
    if let array { return array }
    guard let value = self["value"] else { return [self] }
    return value.array ?? (value.members == nil ? [self] : [value])
  }

  /// Returns the property with this name. If there are several, returns the last. Nil if the property is absent or
  /// null, which means the same in Graph.
  package func property(_ name: String) -> Member? {
    members?.last { $0.name == name }.flatMap { $0.value.isNull ? nil : $0 }
  }
}

extension JSONValue.Member {
  /// Whether the member is not a property but an annotation (`@odata.…`, `name@odata.…`) or an action
  /// (`#microsoft.graph.assign`).
  package var isAnnotation: Bool { name.contains("@odata.") || name.hasPrefix("#") }

  /// Whether an export tool, not Graph, wrote the member. The names of such members begin with `$` or `_`, or are in
  /// upper case, such as `SVC` or `ENV`; Graph uses camel case. Tools also copy `supportsScopeTags` from device
  /// configurations.
  fileprivate var isToolKey: Bool {
    name.hasPrefix("$") || name.hasPrefix("_") || name == "supportsScopeTags"
      || !name.isEmpty
        && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
  }

  /// Whether the property is set. Null, false, zero, `notConfigured` and empty values count as not set, because export
  /// tools write them for properties that are not set.
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
