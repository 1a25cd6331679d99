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
    let root = try reader.parse(bytes)
    try reader.refuseDuplicates(in: root)
    var documents: [PolicyDocument] = []
    for object in try reader.policies(in: root) {
      try reader.checkType(of: object)
      var properties = PropertyReader(object: object, file: file)
      documents.append(try properties.document())
    }
    return documents
  }

  private let file: String

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

  private func policies(in root: JSONValue) throws(PolicyError) -> [JSONValue] {
    let objects: [JSONValue]
    switch root.kind {
    case .array(let elements): objects = elements
    case .object:
      guard let list = root["value"] else { return [root] }
      guard let elements = list.array else {
        throw failure(.wrongType, list.position, "`value` must be an array, found \(list.kindName)")
      }
      objects = elements
    default:
      throw failure(
        .noPolicy, root.position, "expected a policy or a list of policies, found \(root.kindName)")
    }
    guard !objects.isEmpty else {
      throw failure(.noPolicy, root.position, "the list holds no policy")
    }
    return objects
  }

  /// Only iOS policies, and only objects that look like a policy at all.
  private func checkType(of object: JSONValue) throws(PolicyError) {
    guard let members = object.members else {
      throw failure(.noPolicy, object.position, "expected a policy, found \(object.kindName)")
    }
    if let type = object["@odata.type"] {
      let name = type.string.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
      guard name == "iosManagedAppProtection" else {
        throw failure(
          .otherPolicyType, type.position,
          "the policy's type must be `iosManagedAppProtection`, found "
            + (type.string.map { "`\($0)`" } ?? type.kindName))
      }
    } else if !members.contains(where: { KnownProperties.kind(of: $0.name) != nil }) {
      throw failure(
        .noPolicy, object.position, "the object has no property of an app protection policy")
    }
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
