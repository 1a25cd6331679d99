import JSON

/// Reads app protection policies as Microsoft Graph exports them.
///
/// Accepts a single `iosManagedAppProtection`, an array of them, and Graph's list answer
/// `{"value": […]}`, in UTF-8 or UTF-16. OData annotations and actions are ignored; properties that are
/// not documented are kept, with a warning where one is nearly a documented name.
public struct PolicyReader {
  /// The policies in `bytes`, at least one; `file` is the name by which messages and origins cite it.
  public static func read(
    _ bytes: [UInt8], file: String
  ) throws(PolicyError) -> [PolicyDocument] {
    let reader = PolicyReader(file: file)
    let root = try reader.root(of: bytes)
    return try reader.documents(from: try reader.objects(in: root))
  }

  let file: String

  /// The JSON value of the whole file, without a name that an object states twice.
  func root(of bytes: [UInt8]) throws(PolicyError) -> JSONValue {
    let root = try parse(bytes)
    try refuseDuplicates(in: root)
    return root
  }

  func documents(from objects: [JSONValue]) throws(PolicyError) -> [PolicyDocument] {
    var documents: [PolicyDocument] = []
    for object in objects {
      try checkType(of: object)
      var properties = PropertyReader(object: object, file: file)
      documents.append(try properties.document())
    }
    return documents
  }

  private func parse(_ bytes: [UInt8]) throws(PolicyError) -> JSONValue {
    guard !bytes.isEmpty else {
      throw failure(.noPolicy, Position(line: 1, column: 1), "the file is empty")
    }
    do {
      return try JSONReader.read(bytes)
    } catch {
      throw failure(.jsonSyntax, error.position, error.message)
    }
  }

  /// What may be a policy: the root itself, or the elements of the list that it is.
  func objects(in root: JSONValue) throws(PolicyError) -> [JSONValue] {
    let objects: [JSONValue]
    switch root.kind {
    case .array(let elements): objects = elements
    case .object:
      guard let list = root["value"] else { return [root] }
      guard let elements = list.array else {
        if let wrapped = WrappedPolicy(in: root) {
          throw failure(.noPolicy, wrapped.position, "`value` is no list; \(wrapped.hint)")
        }
        throw failure(.wrongType, list.position, "`value` must be an array, found \(list.kindName)")
      }
      objects = elements
    default:
      throw failure(
        .noPolicy, root.position,
        "expected a policy or a list of policies, found \(root.kindName)\(Self.hint(in: root))")
    }
    guard !objects.isEmpty else {
      throw failure(.noPolicy, root.position, "the list holds no policy")
    }
    return objects
  }

  /// Only iOS policies, and only objects that look like a policy at all.
  private func checkType(of object: JSONValue) throws(PolicyError) {
    guard let members = object.members else {
      throw failure(
        .noPolicy, object.position,
        "expected a policy, found \(object.kindName)\(Self.hint(in: object))")
    }
    switch GraphType(of: object) {
    case .iOSPolicy: return
    case .foreign(let foreign):
      throw failure(
        .otherPolicyType, foreign.position,
        "expected a policy for iOS (`#microsoft.graph.\(GraphType.iOSName)`), found "
          + foreign.words)
    case .unstated:
      if !GraphType.statesSetting(object), let wrapped = WrappedPolicy(in: object) {
        throw failure(
          .noPolicy, wrapped.position,
          "the object states no setting of an app protection policy; \(wrapped.hint)")
      }
      guard !members.contains(where: { KnownProperties.kind(of: $0.name) != nil }) else { return }
      throw failure(
        .noPolicy, object.position, "the object has no property of an app protection policy")
    }
  }

  /// Where else in `value` a policy is; nothing where there is none.
  private static func hint(in value: JSONValue) -> String {
    WrappedPolicy(in: value).map { "; \($0.hint)" } ?? ""
  }

  private func refuseDuplicates(in value: JSONValue) throws(PolicyError) {
    for element in value.array ?? [] { try refuseDuplicates(in: element) }
    var lines: [String: Int] = [:]
    for member in value.members ?? [] {
      if let line = lines.updateValue(member.position.line, forKey: member.name) {
        throw failure(
          .duplicateProperty, member.position,
          "`\(member.name)` is stated twice, first on line \(line)")
      }
      try refuseDuplicates(in: member.value)
    }
  }

  private func failure(
    _ code: PolicyError.Code, _ position: Position, _ message: String
  ) -> PolicyError {
    PolicyError(code, file: file, at: position, message)
  }
}
