internal import Diagnostics
internal import JSON

/// The parts of a specification beyond JSON Schema, in `x-managed-app`.
extension SchemaReader {
  private enum Key: String, CaseIterable {
    case title, bundle, team, errorCodes, passwords, certificates, identities, demoMode
  }

  private enum EntryKey: String, CaseIterable {
    case code, identifier, description, required
  }

  mutating func readOwn(_ value: JSONValue, into specification: inout AppSpecification) {
    guard let members = members(value, of: Self.ownName) else { return }
    checkDuplicates(members)
    for member in members {
      let value = member.value
      switch Key(rawValue: member.name) {
      case .title: specification.title = text(value, of: member.name)
      case .bundle: specification.bundle = text(value, of: member.name)
      case .team: specification.team = text(value, of: member.name)
      case .demoMode: specification.demoMode = text(value, of: member.name)
      case .errorCodes: specification.errorCodes = errorCodes(value)
      case .passwords: specification.passwords = secrets(value, of: member.name)
      case .certificates: specification.certificates = secrets(value, of: member.name)
      case .identities: specification.identities = secrets(value, of: member.name)
      case nil: findUnknown(member, among: Key.allCases.map(\.rawValue))
      }
    }
  }

  private mutating func findUnknown(_ member: JSONValue.Member, among known: [String]) {
    find(
      .unknownKeyword, at: member.position, "`\(Self.ownName)` has no `\(member.name)`",
      suggestion: NearestWord.to(member.name, among: known))
  }

  private mutating func errorCodes(_ value: JSONValue) -> [AppSpecification.ErrorCode] {
    var codes: [AppSpecification.ErrorCode] = []
    var numbers: Set<Int> = []
    for element in array(value, of: Key.errorCodes.rawValue) ?? [] {
      guard check(element, allowing: [.code, .description]) else { continue }
      guard let code = element[EntryKey.code.rawValue]?.int else {
        fail(at: element.position, "an error code needs its number, `code`")
        continue
      }
      if !numbers.insert(code).inserted {
        fail(at: element.position, "the error code \(code) is there twice")
      }
      codes.append(
        AppSpecification.ErrorCode(code: code, description: description(of: element)))
    }
    return codes
  }

  private mutating func secrets(_ value: JSONValue, of name: String) -> [AppSpecification.Secret] {
    var secrets: [AppSpecification.Secret] = []
    var identifiers: Set<String> = []
    for element in array(value, of: name) ?? [] {
      guard check(element, allowing: [.identifier, .description, .required]) else { continue }
      let key = EntryKey.identifier.rawValue
      guard let identifier = element[key]?.string, !identifier.isEmpty else {
        fail(at: element.position, "what the app looks up needs its `identifier`")
        continue
      }
      if !identifiers.insert(identifier).inserted {
        fail(at: element.position, "`\(identifier)` is there twice among the \(name)")
      }
      let required = element[EntryKey.required.rawValue]
      if let required, required.bool == nil {
        fail(
          at: required.position, "`required` must be a boolean, found \(required.kindName)")
      }
      secrets.append(
        AppSpecification.Secret(
          identifier: identifier, description: description(of: element),
          isRequired: required?.bool ?? false))
    }
    return secrets
  }

  /// Whether an entry is an object; also notes names that it should not have.
  private mutating func check(_ element: JSONValue, allowing keys: [EntryKey]) -> Bool {
    guard let members = element.members else {
      fail(at: element.position, "an entry must be an object, found \(element.kindName)")
      return false
    }
    checkDuplicates(members)
    let known = keys.map(\.rawValue)
    for member in members where !known.contains(member.name) {
      findUnknown(member, among: known)
    }
    return true
  }

  private mutating func description(of element: JSONValue) -> String {
    guard let value = element[EntryKey.description.rawValue] else {
      find(.undocumented, at: element.position, "nothing says what this entry is for")
      return ""
    }
    return text(value, of: EntryKey.description.rawValue) ?? ""
  }
}
