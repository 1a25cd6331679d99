package import Encodings
internal import GraphDocuments
internal import Model
internal import Output

/// Reads app protection policies from JSON as Microsoft Graph exports them, in UTF-8 or UTF-16.
///
/// Accepts a single `iosManagedAppProtection`, an array of them, and Graph's responses `{"value": […]}` and `{"value":
/// {…}}`. ``ObjectType`` decides which objects are policies. OData annotations, actions and the keys of export tools
/// are ignored. Other undocumented properties are kept; a warning reports each that has a value or resembles a
/// documented name.
package struct PolicyReader {
  /// Reads one or more policies from `bytes`. Messages and the origins of settings refer to the file as `file`.
  ///
  /// - Throws: ``PolicyErrors`` if a policy cannot be read, or if there is none.
  package static func read(
    _ bytes: [UInt8], file: String
  ) throws(PolicyErrors) -> [PolicyDocument] {
    try policies(in: bytes, file: file).map(\.document)
  }

  /// Reads policies like ``read(_:file:)``, but returns each with the JSON object from which it was read.
  ///
  /// - Throws: ``PolicyErrors`` if a policy cannot be read, or if there is none.
  package static func policies(
    in bytes: [UInt8], file: String
  ) throws(PolicyErrors) -> [(document: PolicyDocument, object: JSONValue)] {
    try PolicyErrors.collecting { errors throws(PolicyError) in
      let reader = PolicyReader(file: DocumentFile(file))
      let root = try reader.file.root(of: bytes, collecting: &errors)
      let objects = try reader.objects(in: root)
      var documents = reader.documents(from: objects, in: root, collecting: &errors)
      guard errors.isEmpty else { return [] }
      if let warning = reader.versionWarning(of: root, objects) {
        documents[0].warnings.append(warning)
      }
      return Array(zip(documents, objects))
    }
  }

  let file: DocumentFile<PolicyKind>

  /// Reads a policy from each object. Collects the errors.
  ///
  /// - Returns: The policies. A policy with errors in some of its properties is included, with the properties that
  ///   could be read.
  func documents(
    from objects: [JSONValue], in root: JSONValue,
    collecting errors: inout PolicyKind.ErrorCollector
  ) -> [PolicyDocument] {
    objects.compactMap { object in
      errors.read { () throws(PolicyError) in
        try checkType(of: object, in: root)
        return PropertyReader(object, in: file)
      }.map { properties in
        var properties = properties
        let document = properties.document()
        errors.add(properties.errors)
        return document
      }
    }
  }

  /// Returns the objects to read as policies: the root, the elements of its list, or its `value`.
  func objects(in root: JSONValue) throws(PolicyError) -> [JSONValue] {
    guard root.array != nil || root.members != nil else {
      throw file.failure(
        .noPolicy, root.position,
        "expected a policy or a list of policies, found \(root.kindName)\(Self.hint(in: root))")
    }
    if let list = root["value"], list.array == nil, list.members == nil {
      guard let wrapped = WrappedDocument(policyIn: root) else {
        throw file.mismatch("`value` must be an array or an object", list)
      }
      throw file.failure(.noPolicy, wrapped.position, "`value` is not a policy; \(wrapped.hint)")
    }
    let objects = root.elementsOrSelf
    guard !objects.isEmpty else {
      throw file.failure(.noPolicy, root.position, "the list contains no policy")
    }
    return objects
  }

  /// Returns a warning if the export is from Graph's v1.0, which omits settings. Nil for other versions, and if the
  /// export nevertheless contains one of these settings.
  ///
  /// In v1.0, `iosManagedAppProtection` lacks all properties that only the beta documents.
  private func versionWarning(of root: JSONValue, _ objects: [JSONValue]) -> PolicyWarning? {
    let leftOut: [Setting] = [.exemptedAppProtocols, .thirdPartyKeyboardsBlocked]
    guard let context = root.property("@odata.context"),
      context.value.string?.contains("graph.microsoft.com/v1.0/") == true,
      !leftOut.contains(where: { setting in objects.contains { $0[setting.rawValue] != nil } })
    else { return nil }
    let names = leftOut.map { "`\($0.rawValue)`" }.joined(separator: " and ")
    return PolicyWarning(
      .exportedByV1, file: file.name, at: context.position,
      "Graph's v1.0 omits settings such as \(names), so their defaults apply")
  }

  /// Throws an error unless the object's type, context or properties show that it is an iOS policy.
  private func checkType(of object: JSONValue, in root: JSONValue) throws(PolicyError) {
    guard let members = object.members else {
      throw file.failure(
        .noPolicy, object.position,
        "expected a policy, found \(object.kindName)\(Self.hint(in: object))")
    }
    let type = GraphType(of: object, in: root)
    switch type {
    case .iOSPolicy: return
    case .foreign(let foreign):
      if foreign.isContainer { try refuseWrapped(in: object, of: root) }
      throw file.failure(
        .otherPolicyType, foreign.position,
        "expected a policy for iOS (`#microsoft.graph.\(GraphType.iOSName)`), found "
          + foreign.words)
    case .unstated:
      try refuseWrapped(in: object, of: root)
      try refuseOtherText(in: members)
      throw file.failure(.noPolicy, object.position, Self.nothingTold(of: members))
    }
  }

  /// Throws an error if a policy is nested in the object or elsewhere in the file. The error states where.
  private func refuseWrapped(in object: JSONValue, of root: JSONValue) throws(PolicyError) {
    guard let wrapped = WrappedDocument(policyIn: object) ?? WrappedDocument(policyIn: root) else {
      return
    }
    throw file.failure(
      .noPolicy, wrapped.position,
      "the object is not an app protection policy; \(wrapped.hint)")
  }

  /// Throws an error if a string in the object contains another kind of object as JSON text. Templates have such
  /// strings in `RAWJson`.
  private func refuseOtherText(in members: [JSONValue.Member]) throws(PolicyError) {
    for member in members {
      guard let text = member.value.string, text.first(where: { !$0.isWhitespace }) == "{",
        let inner = try? JSONReader.read(text), case .foreign(let foreign) = GraphType(of: inner)
      else { continue }
      throw file.failure(
        .otherPolicyType, member.position,
        "expected a policy for iOS (`#microsoft.graph.\(GraphType.iOSName)`), found in the text of "
          + "`\(member.name)` \(foreign.words)")
    }
  }

  /// Returns the error message for an object whose type cannot be determined.
  private static func nothingTold(of members: [JSONValue.Member]) -> String {
    for member in members {
      guard let remedy = AdminCentreLabel.remedy(for: member) else { continue }
      return "`\(member.name)` is not a property of an app protection policy\(remedy)"
    }
    guard let known = members.first(where: { SettingTable.properties.type(of: $0.name) != nil })
    else { return "the object has no property of an app protection policy" }
    return "the object's type is ambiguous: many kinds of objects have `\(known.name)`; expected "
      + "`\"@odata.type\": \"#microsoft.graph.\(GraphType.iOSName)\"`, a setting such as `pinRequired`, "
      + "or `appGroupType`"
  }

  /// Returns the end of an error message that states where in `value` a policy is nested. Empty if there is none.
  private static func hint(in value: JSONValue) -> String {
    WrappedDocument(policyIn: value).map { "; \($0.hint)" } ?? ""
  }
}

// MARK: - Object types

/// The type of a Graph object. Unlike ``ObjectType``, it distinguishes only the cases that matter to the policy reader.
enum GraphType {
  case iOSPolicy
  case foreign(Foreign)
  /// The object's type cannot be determined.
  case unstated

  /// An object that is not an iOS app protection policy.
  struct Foreign {
    /// For a policy for another platform, the platform; for a tenant's default policy, a phrase for the users to whom
    /// it applies. Nil if the object is not a policy.
    var platform: String?
    /// A description for error messages: the object's type, the member that shows the type, and the use of such objects
    /// in Sluice.
    var words: String
    /// The position of the member that shows the type.
    var position: Position
    /// Whether the object may be a wrapper in which a tool stores another document.
    var isContainer = false
  }

  /// Determines the type of an object.
  ///
  /// - Parameter root: The document that contains the object; nil for an object on its own.
  init(of object: JSONValue, in root: JSONValue? = nil) {
    guard let type = ObjectType(of: object, in: root) else {
      self = Self.settingCount(of: object) > 0 ? .iOSPolicy : .unstated
      return
    }
    var noun: String?
    var platform: String?
    switch type.kind {
    // A policy without settings may still state its apps.
    case .iOSPolicy, .targeting:
      self = .iOSPolicy
      return
    case .otherPolicy(let other): platform = other
    case .tenantDefault: platform = "users whom no other policy targets"
    case .managedAppConfiguration, .managedDeviceConfiguration, .conditionalAccessPolicy, .user,
      .group, .assignmentFilter, .mobileApp, .other:
      break
    }
    if let platform { noun = "a policy for \(platform)" }
    var words = type.words(noun) + type.use
    if type.kind == .tenantDefault {
      words +=
        "; to try it on such users, change its type to `#microsoft.graph.\(Self.iOSName)` and assign it to them"
    }
    if platform == nil, let name = type.annotatedName,
      Suggestion.word(for: name, among: [Self.iOSName]) != nil
    {
      words += Suggestion.text("#microsoft.graph.\(Self.iOSName)")
    }
    self = .foreign(
      Foreign(
        platform: platform, words: words, position: type.position,
        isContainer: type.kind == .other && type.isShownByProperties))
  }

  static let iOSName = "iosManagedAppProtection"

  /// Returns how many settings of app protection policies the object states.
  fileprivate static func settingCount(of object: JSONValue) -> Int {
    (object.members ?? []).count { Setting(rawValue: $0.name)?.holder == .policy }
  }
}

extension WrappedDocument {
  /// Finds the first iOS policy nested in `value`. An object that states no type counts as a policy only if it has
  /// several settings of policies, because another kind of object may have one property with such a name.
  init?(policyIn value: JSONValue) {
    self.init(in: value) { value in
      switch GraphType(of: value) {
      case .iOSPolicy:
        TypeAnnotation(of: value) != nil || value["@odata.context"] != nil
          || GraphType.settingCount(of: value) > 1 ? .match : .unknown
      case .unstated: .unknown
      case .foreign(let foreign): foreign.isContainer ? .unknown : .otherDocument
      }
    }
  }
}

/// The kind of document that ``PolicyReader`` reads: Graph's `iosManagedAppProtection`.
enum PolicyKind: AppDocumentKind {
  typealias ErrorCode = PolicyErrorCode
  typealias WarningCode = PolicyWarningCode

  static let indefiniteName = "a policy"
  static let definiteName = "the policy"
  static let appWithoutBundleID: PolicyWarningCode? = .appWithoutBundleID

  /// Returns the words as alternatives: `` `a`, `b` or `c` ``.
  static func list(_ words: [String]) -> String { ListFormat.any(of: words.map { "`\($0)`" }) }
}
