package import Encodings
package import GraphDocuments
internal import Output

/// Users and groups that a person writes by hand, in the file `directory.yaml` of an export.
///
/// The file adds facts that the export lacks. Unlike exports, it has Sluice's own format, so unknown keys and names are
/// errors. docs/tenant.md and docs/schema/tenant-directory.schema.json describe it.
package struct WrittenDirectory: Sendable {
  private let file: DocumentFile<DirectoryDocuments>
  /// The lines of the file, from which positions inside rules are computed.
  private let lines: [Substring]
  private var users: [User] = []
  private var groups: [Group] = []
  private var errors: [DirectoryError] = []

  private struct User: Sendable {
    var upn: String
    var id: String?
    var attributes: [(RuleAttribute, RuleValue)]
    /// The groups that the user's entry lists; nil if the entry has no list. If there is a list, the user is in no
    /// other groups, except groups whose entries list the user.
    var groups: [Name]?
    var position: Position
  }

  private struct Group: Sendable {
    var name: String
    var id: String?
    var members: [Name]?
    var rule: DirectoryBuilder.StatedMembers?
    var position: Position
  }

  /// The name or the id of a user or a group.
  private struct Name: Sendable {
    var text: String
    var position: Position
  }

  /// Returns whether the file at `path` has the name of a hand-written directory: `directory.yaml` or `directory.yml`.
  package static func isName(_ path: String) -> Bool {
    let name = path.split(separator: "/").last?.lowercased()
    return name == "directory.yaml" || name == "directory.yml"
  }

  /// Reads a file. Errors are collected, and ``add(_:to:named:)`` returns them.
  ///
  /// - Parameter text: The file's text, from which positions inside rules are computed.
  package init(_ root: JSONValue, text: String, in file: DocumentFile<DirectoryDocuments>) {
    self.file = file
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (key, member) in members(of: root, "the file", Self.rootKeys, Self.rootSynonyms) {
      switch key {
      case "users": readUsers(member.value)
      default:  // open: the other key of the list
        readGroups(member.value)
      }
    }
  }

  // MARK: Reading

  private static let rootKeys = ["users", "groups"]
  private static let rootSynonyms = ["accounts": "users", "people": "users", "members": "groups"]
  private static let groupKeys = ["id", "members", "rule"]
  private static let groupSynonyms = [
    "objectid": "id", "groupid": "id", "users": "members", "groups": "members",
    "membershiprule": "rule", "dynamic": "rule", "query": "rule",
  ]
  private static let userKeys = ["id", "groups", "licensed"]
  private static let userSynonyms = [
    "objectid": "id", "memberof": "groups", "transitivememberof": "groups", "license": "licensed",
    "licence": "licensed", "licenced": "licensed", "islicensed": "licensed",
    "licenses": "licensed", "assignedlicenses": "licensed",
  ]

  /// Returns the members of a mapping whose keys are in `keys` or accepted by `accepts`. Records an error for each
  /// other key, and if `value` is not a mapping.
  ///
  /// - Parameters:
  ///   - subject: The mapping's name in messages, such as `` the group `Sales` ``.
  ///   - others: Keys that messages may suggest in addition to `keys`.
  private mutating func members(
    of value: JSONValue, _ subject: String, _ keys: [String], _ synonyms: [String: String],
    others: [String] = [], accepts: (String) -> Bool = { _ in false }
  ) -> [(key: String, member: JSONValue.Member)] {
    guard let members = value.members else {
      fail(
        .wrongType, value.position,
        "\(subject) must be a mapping with \(ListFormat.any(of: keys.map { "`\($0)`" })), found "
          + found(value))
      return []
    }
    return members.compactMap { member in
      if keys.contains(member.name) || accepts(member.name) { return (member.name, member) }
      let meant = synonyms[member.name.lowercased()].map { Suggestion.text($0) }
      let nearest = Suggestion.nearest(
        to: member.name, among: keys + others, within: max(1, member.name.count / 3))
      let hint = meant ?? nearest
      fail(
        .unknownKey, member.position,
        "\(subject) has no key `\(member.name)`"
          + (hint.isEmpty ? "; expected \(ListFormat.any(of: keys.map { "`\($0)`" }))" : hint)
          + (hint.isEmpty && !others.isEmpty ? " or an attribute of membership rules" : ""))
      return nil
    }
  }

  private mutating func fail(_ code: DirectoryErrorCode, _ position: Position, _ message: String) {
    errors.append(file.failure(code, position, message))
  }

  /// Returns the value for a message: in backticks, or as its kind in YAML's terms, such as `a list`.
  private func found(_ value: JSONValue) -> String {
    switch value.kind {
    case .null: "nothing"
    case .bool(let flag): "`\(flag)`"
    case .number(let text): "`\(text)`"
    case .string(let text): "`\(text)`"
    case .array: "a list"
    case .object: "a mapping"
    }
  }

  private mutating func text(_ member: JSONValue.Member) -> String? {
    if let text = member.value.string { return text }
    fail(
      .wrongType, member.value.position,
      "`\(member.name)` must be text, found \(found(member.value))")
    return nil
  }

  /// Returns the strings in a list, and records an error for each other element. If the value is not a list, records an
  /// error and returns nil.
  private mutating func names(_ value: JSONValue, _ subject: String) -> [Name]? {
    guard let elements = value.array else {
      fail(.wrongType, value.position, "\(subject) must be a list, found \(found(value))")
      return nil
    }
    return elements.compactMap { element in
      if let text = element.string { return Name(text: text, position: element.position) }
      fail(
        .wrongType, element.position,
        "\(subject) must list names, found \(found(element))")
      return nil
    }
  }

  private mutating func readUsers(_ value: JSONValue) {
    if value.isNull { return }
    guard value.members != nil || value.array != nil else {
      fail(
        .wrongType, value.position,
        "`users` must be a mapping from user principal names to attributes, found \(found(value))")
      return
    }
    for name in value.array == nil ? [] : names(value, "`users`") ?? [] {
      readUser(name.text, JSONValue(.null, at: name.position), name.position)
    }
    for member in value.members ?? [] { readUser(member.name, member.value, member.position) }
  }

  private mutating func readUser(_ upn: String, _ value: JSONValue, _ position: Position) {
    guard upn.contains("@") else {
      return fail(
        .invalidName, position,
        "a user is named by the user principal name, such as `anna@contoso.com`, found `\(upn)`")
    }
    var user = User(upn: upn, attributes: [], position: position)
    var isLicensed = true
    if !value.isNull {
      let read = members(
        of: value, "the user `\(upn)`", Self.userKeys, Self.userSynonyms,
        others: Self.attributeNames
      ) { DirectoryReader.writtenAttribute($0) != nil }
      for (key, member) in read {
        switch key {
        case "id": user.id = text(member)
        case "groups": user.groups = names(member.value, "`groups`")
        case "licensed": isLicensed = flag(member) ?? true
        default:  // open: names of attributes
          guard let attribute = DirectoryReader.writtenAttribute(key) else { continue }
          self.read(member, attribute, into: &user)
        }
      }
    }
    user.attributes += [
      (.userPrincipalName, .strings([upn])),
      (.assignedLicenses, .strings([isLicensed ? "true" : "false"])),
    ]
    if let id = user.id { user.attributes.append((.objectID, .strings([id]))) }
    users.append(user)
  }

  /// The valid keys of a user in a hand-written file. Custom attributes, which a tenant defines, are not listed.
  package static var keysOfUsers: [String] { userKeys + attributeNames }
  package static var keysOfGroups: [String] { groupKeys }

  private static let attributeNames =
    (RuleDialect.users.names.filter { DirectoryReader.writtenAttribute($0) != nil } + ["manager"])
    .sorted()

  private mutating func flag(_ member: JSONValue.Member) -> Bool? {
    if let flag = member.value.bool { return flag }
    fail(
      .wrongType, member.value.position,
      "`\(member.name)` must be `true` or `false`, found \(found(member.value))")
    return nil
  }

  private mutating func read(
    _ member: JSONValue.Member, _ attribute: RuleAttribute, into user: inout User
  ) {
    let value = member.value
    let isFitting: Bool
    let expected: String
    switch attribute.kind {
    case .boolean: (isFitting, expected) = (value.bool != nil, "`true` or `false`")
    case .objects:
      isFitting = value.array?.allSatisfy { $0.members != nil } ?? false
      expected = "a list of mappings"
    case .texts, .collection:
      isFitting = value.string != nil || value.array?.allSatisfy { $0.string != nil } ?? false
      expected = "a list of texts"
    case .word, .text, .version, .date:
      (isFitting, expected) = (value.string != nil || value.bool != nil, "text")
    }
    guard isFitting || value.isNull else {
      return fail(
        .wrongType, value.position,
        "`\(member.name)` must be \(expected), found \(found(value))")
    }
    user.attributes.append((attribute, DirectoryReader.value(of: value, for: attribute)))
  }

  private mutating func readGroups(_ value: JSONValue) {
    if value.isNull { return }
    guard let members = value.members else {
      return fail(
        .wrongType, value.position,
        "`groups` must be a mapping from names to members, found \(found(value))")
    }
    for member in members {
      var group = Group(name: member.name, position: member.position)
      let subject = "the group `\(member.name)`"
      if member.value.array != nil {
        group.members = names(member.value, subject)
      } else if !member.value.isNull {
        read(member.value, subject, into: &group)
      }
      groups.append(group)
    }
  }

  private mutating func read(_ value: JSONValue, _ subject: String, into group: inout Group) {
    var places: [String: Position] = [:]
    for (key, member) in members(of: value, subject, Self.groupKeys, Self.groupSynonyms) {
      places[key] = member.position
      switch key {
      case "id": group.id = text(member)
      case "members": group.members = names(member.value, "`members`")
      default:  // open: the last key of the list
        group.rule = rule(member)
      }
    }
    if places["members"] != nil, let position = places["rule"] {
      fail(.conflictingKeys, position, "\(subject) has `members` or `rule`, not both")
    }
  }

  private mutating func rule(_ member: JSONValue.Member) -> DirectoryBuilder.StatedMembers? {
    guard let rule = text(member) else { return nil }
    let isForDevices = rule.lowercased().contains("device.")
    do throws(RuleError) {
      let parsed = try DirectoryRuleParser.parse(rule, as: isForDevices ? .devices : .users)
      return isForDevices ? .devices : .rule(parsed, text: rule)
    } catch {
      fail(
        .invalidRule, position(of: error.offset, in: rule, from: member.value.position),
        "the rule cannot be read: \(error.message)")
      return nil
    }
  }

  /// Returns the position in the file of the character at `offset` in a rule. If the rule's text differs from the
  /// file's, for example because it spans several lines, returns the beginning of the rule.
  private func position(of offset: Int, in rule: String, from start: Position) -> Position {
    guard start.line <= lines.count else { return start }
    let rest = lines[start.line - 1].unicodeScalars.dropFirst(start.column - 1)
    let quotes = rest.first.map { "'\"".unicodeScalars.contains($0) } == true ? 1 : 0
    let before = rule.unicodeScalars.prefix(offset)
    guard rest.dropFirst(quotes).starts(with: before) else { return start }
    return Position(line: start.line, column: start.column + quotes + offset)
  }

  // MARK: Adding

  /// Adds the users and groups of hand-written files to those of an export.
  ///
  /// - Parameter named: The groups to which documents of the export refer. Hand-written files may refer to them too.
  /// - Returns: The errors, ordered by file and position.
  package static func add(
    _ files: [WrittenDirectory], to builder: inout DirectoryBuilder, named: [GroupReference]
  ) -> [DirectoryError] {
    var steps = 0
    return add(files, to: &builder, named: named, &steps)
  }

  /// Adds the users and groups of hand-written files to those of an export, and counts the work for suggestions.
  ///
  /// - Parameter steps: Increased by the number of words and characters compared to find suggestions.
  package static func add(
    _ files: [WrittenDirectory], to builder: inout DirectoryBuilder, named: [GroupReference],
    _ steps: inout Int
  ) -> [DirectoryError] {
    for file in files { file.addEntries(to: &builder) }
    var names = KnownNames(named)
    var errors: [DirectoryError] = []
    for file in files { errors += file.errors + file.addNames(to: &builder, &names) }
    for file in files { file.warnAboutGroupsWithoutID(in: &builder, named) }
    steps += names.steps
    return errors.enumerated().sorted {
      let (one, other) = ($0.element, $1.element)
      return (one.file, one.position.line, one.position.column, $0.offset)
        < (other.file, other.position.line, other.position.column, $1.offset)
    }.map(\.element)
  }

  /// The names of the users and groups to which hand-written files may refer.
  private struct KnownNames {
    /// The groups to which documents of the export refer, by lowercase id and by lowercase name.
    let named: [String: GroupReference]
    private let references: [GroupReference]
    private var groups: Vocabulary?
    private var usersAndGroups: Vocabulary?
    private(set) var steps = 0

    /// The maximum number of words and characters compared to find suggestions. A file that exceeds it has so many
    /// unknown names that it needs no suggestions.
    private static let maximumSteps = 2_000_000

    init(_ named: [GroupReference]) {
      references = named
      self.named = Dictionary(
        named.flatMap { group in
          [group.id, group.name?.lowercased()].compactMap(\.self).map { ($0, group) }
        }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the part of a message that suggests the group with the most similar name; empty if none is similar.
    mutating func suggestion(ofGroup name: String, _ builder: DirectoryBuilder) -> String {
      if groups == nil {
        let known =
          builder.groupNames + references.flatMap { [$0.name, $0.id].compactMap(\.self) }
        groups = vocabulary(known)
      }
      return suggestion(for: name, in: groups)
    }

    /// Returns the part of a message that suggests the user or group with the most similar name; empty if none is
    /// similar.
    mutating func suggestion(ofMember name: String, _ builder: DirectoryBuilder) -> String {
      if usersAndGroups == nil {
        usersAndGroups = vocabulary(builder.userNames + builder.groupNames)
      }
      return suggestion(for: name, in: usersAndGroups)
    }

    private mutating func vocabulary(_ words: [String]) -> Vocabulary {
      steps += words.count
      return Vocabulary(words)
    }

    private mutating func suggestion(for name: String, in words: Vocabulary?) -> String {
      guard steps < Self.maximumSteps else { return "" }
      return Suggestion.text(words?.nearest(to: name, &steps))
    }
  }

  private func source(_ position: Position) -> Directory.Source {
    Directory.Source(file: file.name, position: position)
  }

  private func addEntries(to builder: inout DirectoryBuilder) {
    for user in users {
      builder.add(
        userID: user.id, upn: user.upn, user.attributes,
        groups: (user.groups ?? []).map { GroupReference(id: $0.text, name: $0.text) },
        hasAllGroups: user.groups != nil, source: source(user.position))
    }
    for group in groups {
      let members = group.members.map { names in
        DirectoryBuilder.StatedMembers.list(
          names.map { .named($0.text) }, isComplete: true)
      }
      builder.add(
        groupID: group.id, displayName: group.name, members ?? group.rule ?? .nothing,
        source: source(group.position))
    }
  }

  /// Adds the groups that this file's lists name but no entry defines, if a document of the export refers to them.
  ///
  /// - Returns: An error for each name that neither the export nor a hand-written file contains.
  private func addNames(
    to builder: inout DirectoryBuilder, _ names: inout KnownNames
  ) -> [DirectoryError] {
    var errors: [DirectoryError] = []
    for name in users.flatMap({ $0.groups ?? [] }) where !builder.hasGroup(name.text) {
      guard addGroup(name, to: &builder, names) else {
        errors.append(
          file.failure(
            .unknownName, name.position,
            "no group is called `\(name.text)`"
              + names.suggestion(ofGroup: name.text, builder)))
        continue
      }
    }
    for name in groups.flatMap({ $0.members ?? [] })
    where !builder.hasUser(name.text) && !builder.hasGroup(name.text) {
      guard addGroup(name, to: &builder, names) else {
        let hint = names.suggestion(ofMember: name.text, builder)
        errors.append(
          file.failure(
            .unknownName, name.position,
            "no user or group is called `\(name.text)`"
              + (hint.isEmpty && name.text.contains("@") ? "; list the user in `users`" : hint)))
        continue
      }
    }
    return errors
  }

  /// Adds a group to which a document of the export refers. Returns false if no document refers to it.
  private func addGroup(
    _ name: Name, to builder: inout DirectoryBuilder, _ names: KnownNames
  ) -> Bool {
    guard let group = names.named[name.text.lowercased()] else { return false }
    builder.add(
      groupID: group.id, displayName: group.name, .nothing, source: source(name.position))
    return true
  }

  /// Warns about groups without an id if assignments refer to ids of no known group, because these ids probably belong
  /// to the groups. Does not warn about a group to which an assignment or a list of members refers by name.
  private func warnAboutGroupsWithoutID(
    in builder: inout DirectoryBuilder, _ named: [GroupReference]
  ) {
    let unresolved = Set(
      named.filter { $0.name.map { !builder.hasGroup($0) } ?? true }.compactMap(\.id)
        .filter { !builder.hasGroup($0) }
    ).sorted()
    guard !unresolved.isEmpty else { return }
    let names = Set(named.compactMap { $0.name?.lowercased() })
    let nested = Set(groups.flatMap { $0.members ?? [] }.map { $0.text.lowercased() })
    for group in groups where !builder.hasID(groupNamed: group.name) {
      let name = group.name.lowercased()
      guard !names.contains(name), !nested.contains(name) else { continue }
      builder.warn(
        .groupWithoutID, source(group.position),
        "the group `\(group.name)` has no `id`, but assignments name groups by ids that no entry states: "
          + ListFormat.first(3, of: unresolved.map { "`\($0)`" }) + "; add the group's `id`")
    }
  }
}
