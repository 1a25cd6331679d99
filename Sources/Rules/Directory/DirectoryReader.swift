package import Encodings
package import GraphDocuments
internal import Output

/// Reads users, groups and assignment filters from Graph's JSON, from the admin centre's CSV files,
/// and from hand-written files.
package struct DirectoryReader: Sendable {
  /// The users and groups read so far.
  package var builder = DirectoryBuilder()
  /// The filters. Each is stored under its id and under its name, in lower case.
  package private(set) var filters: [String: AssignmentFilter] = [:]
  /// A cache: for each property of Graph's users, the attribute that stores it; nil if none does.
  private var attributes: [String: RuleAttribute?] = [:]

  package init() {}

  // MARK: Graph

  /// Reads one user from an object of Graph.
  ///
  /// - Throws: ``DirectoryError`` if a property has a wrong type, or if the user has neither a name nor an id.
  package mutating func read(
    user object: JSONValue, in file: DocumentFile<DirectoryDocuments>
  ) throws(DirectoryError) {
    let id = try id(of: object, in: file)
    let name = try text("userPrincipalName", of: object, in: file)
    guard let upn = name ?? id else {
      throw file.failure(
        .missingProperty, object.position, "a user needs `userPrincipalName` or `id`")
    }
    var attributes: [(RuleAttribute, RuleValue)] = [
      (.userPrincipalName, .strings([upn]))
    ]
    if let id { attributes.append((.objectID, .strings([id]))) }
    for member in object.members ?? [] {
      if member.name == "onPremisesExtensionAttributes" {
        for inner in member.value.members ?? [] {
          attributes.append((Self.attribute(inner.name), Self.value(of: inner.value)))
        }
      } else if let attribute = knownAttribute(ofProperty: member.name) {
        attributes.append((attribute, Self.value(of: member.value, for: attribute)))
      }
    }
    let transitive = object.property("transitiveMemberOf")?.value.array
    let stated = transitive ?? object.property("memberOf")?.value.array ?? []
    builder.add(
      userID: id, upn: upn, attributes,
      groups: stated.compactMap { entry in
        entry.string.map { GroupReference(id: $0, name: $0) }
          ?? Self.reference(to: entry)
      },
      hasAllGroups: transitive != nil && object["transitiveMemberOf@odata.nextLink"] == nil,
      source: Directory.Source(file: file.name, position: object.position))
  }

  /// Reads one group from an object of Graph.
  ///
  /// - Throws: ``DirectoryError`` if a property has a wrong type, or if the group has neither a name nor an id.
  package mutating func read(
    group object: JSONValue, in file: DocumentFile<DirectoryDocuments>,
    text document: DocumentText? = nil
  ) throws(DirectoryError) {
    let id = try id(of: object, in: file)
    let name = try text("displayName", of: object, in: file)
    guard id != nil || name != nil else {
      throw file.failure(.missingProperty, object.position, "a group needs `displayName` or `id`")
    }
    let source = Directory.Source(file: file.name, position: object.position)
    builder.add(
      groupID: id, displayName: name,
      try members(of: object, named: name ?? id ?? "", in: file, document), source: source)
  }

  /// Reads a group from the target of an assignment. The target may state the group's id, name and membership rule.
  ///
  /// - Throws: ``DirectoryError`` if a property has a wrong type.
  package mutating func read(
    assignedGroup target: JSONValue, in file: DocumentFile<DirectoryDocuments>,
    text document: DocumentText
  ) throws(DirectoryError) {
    let id = try text("groupId", of: target, in: file)
    let stated = try text("groupName", of: target, in: file)
    guard let name = stated ?? id else { return }
    builder.add(
      groupID: id, displayName: name, try members(of: target, named: name, in: file, document),
      source: Directory.Source(file: file.name, position: target.position))
  }

  private mutating func members(
    of object: JSONValue, named name: String, in file: DocumentFile<DirectoryDocuments>,
    _ document: DocumentText?
  ) throws(DirectoryError) -> DirectoryBuilder.StatedMembers {
    let source = { (value: JSONValue) in
      Directory.Source(file: file.name, position: value.position)
    }
    if let member = object.property("transitiveMembers") ?? object.property("members") {
      guard let elements = member.value.array else {
        throw file.mismatch("`\(member.name)` must be a list", member.value)
      }
      var isComplete = object["\(member.name)@odata.nextLink"] == nil
      // Microsoft Graph, "Customize responses with query parameters": `$expand` returns at most 20
      // objects of a directory, without a link to the rest.
      if isComplete, elements.count == 20, elements.allSatisfy({ $0.members != nil }) {
        isComplete = false
        builder.warn(
          .incompleteList, source(member.value),
          "`\(name)` lists 20 members, the most that Graph's `$expand` returns, so other members may be "
            + "missing; export all members with `/groups/{id}/members`")
      } else if !isComplete {
        builder.warn(
          .incompleteList, source(member.value),
          "`\(name)` has an incomplete list of members; the others are unknown")
      }
      return .list(elements.map(Self.member), isComplete: isComplete)
    }
    guard let member = object.property("membershipRule") else { return .nothing }
    guard let rule = member.value.string else {
      throw file.mismatch("`membershipRule` must be a string", member.value)
    }
    // The property is `On` or `Paused` (Microsoft Graph, resource type `group`).
    if let state = object["membershipRuleProcessingState"]?.string, state.lowercased() == "paused" {
      builder.warn(
        .pausedRule, source(member.value),
        "the members of `\(name)` are unknown, because the processing of its rule is paused")
      return .nothing
    }
    return read(rule: rule, of: name, at: member.value.position, in: file, document)
  }

  /// Parses a group's membership rule. If that fails, adds a warning; the group's members are then unknown.
  private mutating func read(
    rule: String, of name: String, at position: Position,
    in file: DocumentFile<DirectoryDocuments>, _ document: DocumentText?
  ) -> DirectoryBuilder.StatedMembers {
    let isForDevices = rule.lowercased().contains("device.")
    do throws(RuleError) {
      let parsed = try DirectoryRuleParser.parse(rule, as: isForDevices ? .devices : .users)
      return isForDevices ? .devices : .rule(parsed, text: rule)
    } catch {
      builder.warn(
        .invalidRule,
        Directory.Source(
          file: file.name,
          position: document?.position(of: error.offset, in: position) ?? position),
        "the members of `\(name)` are unknown, because its rule cannot be read: \(error.message)")
      return .nothing
    }
  }

  /// Adds members to a group, from Graph's response to `/groups/{id}/members` or `/groups/{id}/transitiveMembers`. The
  /// response does not state the group, so the caller does.
  ///
  /// - Parameters:
  ///   - elements: The members.
  ///   - group: The group's name or id.
  ///   - isComplete: Whether the response has no further page.
  package mutating func read(
    members elements: [JSONValue], of group: String, isComplete: Bool, source: Directory.Source
  ) {
    add(elements.map(Self.member), of: group, isComplete: isComplete, source)
  }

  /// Adds members to a group.
  ///
  /// - Parameter group: The group's name or id.
  private mutating func add(
    _ members: [DirectoryBuilder.Member], of group: String, isComplete: Bool,
    _ source: Directory.Source
  ) {
    let isID = group.isGUID
    builder.add(
      groupID: isID ? group : nil, displayName: isID ? nil : group,
      .list(members, isComplete: isComplete), source: source)
  }

  private static func member(_ value: JSONValue) -> DirectoryBuilder.Member {
    if let name = value.string { return .named(name) }
    let type = value["@odata.type"]?.string?.split(separator: ".").last
    let upn = value["userPrincipalName"]?.string
    guard let name = value["id"]?.string ?? upn else { return .other }
    switch type {
    case "user": return .user(name)
    case "group": return .named(name)
    case nil: return upn == nil ? .named(name) : .user(name)
    default:  // open: names of types
      return .other
    }
  }

  private static func reference(to value: JSONValue) -> GroupReference? {
    let reference = GroupReference(
      id: value["id"]?.string, name: value["displayName"]?.string)
    return reference.text.isEmpty ? nil : reference
  }

  /// Reads one assignment filter from an object of Graph.
  ///
  /// - Throws: ``DirectoryError`` if the rule is missing or not a string, or if another property has a wrong type.
  package mutating func read(
    filter object: JSONValue, in file: DocumentFile<DirectoryDocuments>,
    text document: DocumentText? = nil
  ) throws(DirectoryError) {
    let id = try text("id", of: object, in: file)
    let name = try text("displayName", of: object, in: file)
    guard let member = object.property("rule"), let rule = member.value.string else {
      throw file.failure(.missingProperty, object.position, "an assignment filter needs a `rule`")
    }
    let source = Directory.Source(file: file.name, position: object.position)
    let platform = try self.text("platform", of: object, in: file)
    var filter = AssignmentFilter(
      id: id?.lowercased(), displayName: name ?? id ?? "", platform: platform, text: rule,
      source: source)
    do throws(RuleError) {
      filter.rule = try DirectoryRuleParser.parse(rule, as: filter.dialect)
    } catch {
      // No assignment for iOS can use a filter for another platform.
      if filter.isForIOS {
        builder.warn(
          .invalidRule,
          Directory.Source(
            file: file.name,
            position: document?.position(of: error.offset, in: member.value.position)
              ?? member.value.position),
          "the result of the filter `\(filter.displayName)` is unknown, because its rule cannot be read: "
            + error.message)
      }
    }
    if let known = filter.id.flatMap({ filters[$0] }),
      known.text != filter.text || known.displayName != filter.displayName
    {
      let winner =
        filter.replaces(known)
        ? "and replaces it, because only the later filter is for iOS" : "and does not replace it"
      builder.warn(
        .duplicateFilter, source,
        "the filter `\(filter.displayName)` has the id of `\(known.displayName)` in \(known.source), \(winner)"
      )
    }
    for key in [filter.id, name?.lowercased()].compactMap(\.self) {
      if let known = filters[key], !filter.replaces(known) { continue }
      filters[key] = filter
    }
  }

  private func id(
    of object: JSONValue, in file: DocumentFile<DirectoryDocuments>
  ) throws(DirectoryError) -> String? {
    if let id = try text("id", of: object, in: file) { return id }
    return try text("objectId", of: object, in: file)
  }

  private func text(
    _ name: String, of object: JSONValue, in file: DocumentFile<DirectoryDocuments>
  ) throws(DirectoryError) -> String? {
    guard let member = object.property(name) else { return nil }
    guard let text = member.value.string else {
      throw file.mismatch("`\(name)` must be a string", member.value)
    }
    return text.isEmpty ? nil : text
  }

  // MARK: Attributes

  static func attribute(_ name: String) -> RuleAttribute {
    RuleDialect.users.attribute(name) ?? RuleAttribute(name)
  }

  /// Returns the attribute that stores a property of Graph's users. Nil if rules have no such attribute, or if another
  /// function reads the property.
  private static func attribute(ofProperty name: String) -> RuleAttribute? {
    let other = otherNames[name]
    switch other ?? name {
    case "manager": return .manager
    case "assignedLicenses", "licensed": return .assignedLicenses
    case "id", "memberOf", "userPrincipalName": return nil
    default:  // open: names of properties
      return other.map(attribute) ?? RuleDialect.users.attribute(name)
    }
  }

  /// Returns the attribute that a user's key `name` sets in a hand-written file. Nil if the key is unknown, or if
  /// hand-written files use another key for the attribute.
  static func writtenAttribute(_ name: String) -> RuleAttribute? {
    guard !name.contains(" "), !name.contains("/") else { return nil }
    return attribute(ofProperty: name).flatMap { attribute in
      [.assignedLicenses, .memberOf, .objectID, .userPrincipalName].contains(attribute)
        ? nil : attribute
    }
  }

  private mutating func knownAttribute(ofProperty name: String) -> RuleAttribute? {
    if let known = attributes[name] { return known }
    let attribute = Self.attribute(ofProperty: name)
    attributes[name] = .some(attribute)
    return attribute
  }

  /// The names of rule attributes that have other names in Graph or in the admin centres' tables, keyed by the other
  /// name.
  ///
  /// Sources: Microsoft Graph, resource type `user`; Microsoft Learn, "Manage rules for dynamic membership groups" and
  /// "Download a list of users"; the headers that the Microsoft 365 admin centre writes into its list of active users.
  static let otherNames = [
    "Country/Region": "country", "First name": "givenName", "Last name": "surname",
    "Licenses": "assignedLicenses", "Mobile Phone": "mobile",
    "Office": "physicalDeliveryOfficeName", "Phone number": "telephoneNumber", "Title": "jobTitle",
    "businessPhones": "telephoneNumber", "directorySynced": "dirSyncEnabled",
    "faxNumber": "facsimileTelephoneNumber", "imAddresses": "sipProxyAddress",
    "mobilePhone": "mobile", "officeLocation": "physicalDeliveryOfficeName",
    "onPremisesSyncEnabled": "dirSyncEnabled",
  ]

  static func value(
    of value: JSONValue, for attribute: RuleAttribute = RuleAttribute("")
  ) -> RuleValue {
    switch value.kind {
    case .null: return .null
    case .bool(let flag): return .strings([flag ? "true" : "false"])
    case .number(let text): return .strings([text])
    case .string(let text): return .strings([text])
    case .array(let elements):
      if attribute.kind == .objects {
        return .objects(elements.map { properties(of: $0) })
      }
      let strings = elements.compactMap(\.string)
      return strings.isEmpty ? .null : .strings(strings)
    case .object:
      return value["id"]?.string.map { .strings([$0]) } ?? .unknown
    }
  }

  private static func properties(of value: JSONValue) -> [String: String] {
    var properties: [String: String] = [:]
    for member in value.members ?? [] {
      if let text = member.value.string { properties[member.name] = text }
    }
    return properties
  }
}

/// The text of a JSON file, from which the positions of errors inside strings are computed. It is decoded on first use.
package final class DocumentText {
  private let bytes: [UInt8]
  private lazy var text = JSONText(bytes)

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the position in the file of the character at `offset` in the string that begins at `start`.
  func position(of offset: Int, in start: Position) -> Position {
    var string = JSONStringPlace(of: start, in: text)
    return string.position(of: offset)
  }
}

// MARK: - Tables

extension DirectoryReader {
  /// Reads a CSV file from the Entra admin centre or the Microsoft 365 admin centre. The file contains either users or
  /// the members of one group.
  ///
  /// Source: Microsoft Learn, "Download a list of users" and "Bulk download members of a group".
  ///
  /// - Parameter group: The file's name. For the members of a group, this is the group's name or id.
  /// - Throws: ``DirectoryError`` if the table is empty or malformed, or has no column that names its rows. In the last
  ///   case, the code is ``DirectoryErrorCode/foreignTable``, because a folder may also contain unrelated tables.
  package mutating func read(
    table text: String, named group: String, file: String
  ) throws(DirectoryError) {
    let (rows, openQuote) = CSV.rows(of: text)
    if let openQuote {
      throw DirectoryError(
        .wrongTable, file: file, at: Position(line: openQuote, column: 1),
        "a quotation mark in this line is not closed")
    }
    guard let header = rows.first?.cells else {
      throw DirectoryError(.wrongTable, file: file, "the file is empty")
    }
    let columns = header.map(\.trimmed)
    // The Microsoft 365 admin centre writes `User principal name`.
    let keys = columns.map { $0.replacing(" ", with: "").lowercased() }
    let index = { (name: String) in keys.firstIndex(of: name.lowercased()) }
    guard let names = index("userPrincipalName") ?? index("id") else {
      throw DirectoryError(
        .foreignTable, file: file,
        "the table has no column `userPrincipalName` or `id`, only "
          + ListFormat.first(4, of: columns.map { "`\($0)`" }))
    }
    let ids = index("id") ?? index("objectId")
    // A table of members states the kind of each object; a table of users does not.
    if let kinds = index("objectType") ?? index("memberType") {
      let members = rows.dropFirst().compactMap { row -> DirectoryBuilder.Member? in
        guard let name = row[ids ?? names] ?? row[names] else { return nil }
        let kind = row[kinds]?.lowercased() ?? "user"
        if kind.contains("user") { return .user(name) }
        return kind.contains("group") ? .named(name) : .other
      }
      let source = Directory.Source(file: file, position: Position(line: 1, column: 1))
      return add(members, of: group, isComplete: true, source)
    }
    for row in rows.dropFirst() {
      guard let upn = row[names] ?? ids.flatMap({ row[$0] }) else { continue }
      var attributes: [(RuleAttribute, RuleValue)] = []
      for (column, name) in columns.enumerated() {
        // The Microsoft 365 admin centre states `Block credential`, the opposite of `accountEnabled`.
        if keys[column] == "blockcredential", let isBlocked = row[column]?.lowercased() {
          attributes.append((.accountEnabled, .strings(["\(isBlocked != "true")"])))
        }
        let attribute =
          Self.attribute(ofProperty: name)
          ?? Self.attribute(ofProperty: name.replacing(" ", with: ""))
        guard let attribute else { continue }
        let isNone = attribute == .assignedLicenses && row[column] == "Unlicensed"
        attributes.append((attribute, isNone ? .null : row[column].map { .strings([$0]) } ?? .null))
      }
      builder.add(
        userID: ids.flatMap { row[$0] }, upn: upn,
        attributes + [(.userPrincipalName, .strings([upn]))],
        source: Directory.Source(file: file, position: Position(line: row.line, column: 1)))
    }
  }
}

extension AssignmentFilter {
  /// Returns whether to use this filter instead of an earlier one with the same id or name. This is the case if only
  /// this filter is for iOS.
  fileprivate func replaces(_ earlier: AssignmentFilter) -> Bool { isForIOS && !earlier.isForIOS }
}

/// Comma-separated values (RFC 4180). The separator may also be a semicolon or a tab, which Excel writes.
enum CSV {
  struct Row {
    var line: Int
    var cells: [String]

    /// The trimmed text of a cell. Nil if the cell is empty or the row has no such column.
    subscript(column: Int) -> String? {
      guard column < cells.count else { return nil }
      let cell = cells[column].trimmed
      return cell.isEmpty ? nil : cell
    }
  }

  /// Returns the non-empty rows. `openQuote` is the line of a quotation mark that is not closed; nil if there is none.
  static func rows(of text: String) -> (rows: [Row], openQuote: Int?) {
    var rows: [Row] = []
    var cells: [String] = []
    var cell = ""
    var isQuoted = false
    var quoteLine = 1
    var line = 1
    var start = 1
    var scalars = Array(text.unicodeScalars)[...]
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    if dropTypeLine(from: &scalars) { (line, start, quoteLine) = (2, 2, 2) }
    let separator = separator(inFirstLineOf: scalars)
    let endRow = {
      cells.append(cell)
      cell = ""
      if cells.contains(where: { !$0.isEmpty }) { rows.append(Row(line: start, cells: cells)) }
      cells = []
    }
    while let scalar = scalars.popFirst() {
      if scalar == "\n" { line += 1 }
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        scalars.removeFirst()
        cell.unicodeScalars.append("\"")
      case "\"":
        isQuoted.toggle()
        quoteLine = line
      case separator where !isQuoted:
        cells.append(cell)
        cell = ""
      case "\n" where !isQuoted:
        endRow()
        start = line
      case "\r" where !isQuoted: break
      default:  // open: any other character
        cell.unicodeScalars.append(scalar)
      }
    }
    endRow()
    return (rows, isQuoted ? quoteLine : nil)
  }

  /// Removes the first line if it states a type, such as `#TYPE System.Object`, as Windows PowerShell's `Export-Csv`
  /// writes it. Returns whether the line was removed.
  private static func dropTypeLine(from scalars: inout ArraySlice<Unicode.Scalar>) -> Bool {
    guard scalars.starts(with: "#TYPE ".unicodeScalars) else { return false }
    scalars = scalars.drop { $0 != "\n" }.dropFirst()
    return true
  }

  /// Returns the separator that is most frequent outside quotation marks in the first line; a comma if the line has no
  /// separator.
  private static func separator(inFirstLineOf scalars: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar
  {
    var counts: [Unicode.Scalar: Int] = [",": 0, ";": 0, "\t": 0]
    var isQuoted = false
    for scalar in scalars {
      if scalar == "\n", !isQuoted { break }
      if scalar == "\"" { isQuoted.toggle() }
      if !isQuoted { counts[scalar]? += 1 }
    }
    let others: [Unicode.Scalar] = [";", "\t"]
    return others.reduce(",") { (counts[$1] ?? 0) > (counts[$0] ?? 0) ? $1 : $0 }
  }
}
