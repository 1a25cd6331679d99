internal import AppConfiguration
internal import Directory
package import Encodings
internal import Enrollment
package import GraphDocuments
package import Output
internal import Policy

/// Reads the files of a tenant's export: policies, configurations, conditional access, users,
/// groups, filters and apps, in the layout of any tool.
///
/// Every file is parsed once to determine its contents; only the responsible readers read it again.
package struct TenantReader {
  private let folder: ExportFolder
  private var policies: [ExportFolder.File] = []
  private var configurations: [ExportFolder.File] = []
  private var conditionalAccess: [ExportFolder.File] = []
  private var assignments: [ExportFolder.File] = []
  private var people = DirectoryReader()
  private var writtenDirectories: [WrittenDirectory] = []
  private var apps: [String: String] = [:]
  /// The number of skipped objects of each kind. The keys are nouns, such as `other object`.
  private var skipped: [String: Int] = [:]
  /// Notes about skipped tables. Tables are read only if they contain users or members.
  private var skippedTables: [Diagnostic] = []
  private var errors: [Diagnostic] = []
  /// Warnings about missing pages of Graph responses, keyed by the context, which is the same on all pages of a
  /// response. The value is nil if the last page of the response is among the files.
  private var openPages: [String: Diagnostic?] = [:]
  /// The pages of member lists, keyed by the lowercase name or id of the group.
  private var memberLists: [String: MemberList] = [:]
  /// Lists of users, or empty lists, in files named after an id. They are member lists if a group has the id.
  private var possibleMemberLists: [String: MemberList] = [:]
  /// Other lists with users or objects of unknown type, with the files' names. They may be lists of members.
  private var unmarkedLists: [(name: String, source: Directory.Source)] = []
  /// Scripts and configurations of other tools.
  private var scripts: [ExportFolder.File] = []

  package init(folder: String) { self.folder = ExportFolder(name: folder) }

  /// Returns whether a file with this name contains hand-written users and groups, as YAML.
  package static func isWrittenDirectory(_ path: String) -> Bool { WrittenDirectory.isName(path) }

  package static func reads(_ path: String) -> Bool {
    [".json", ".csv"].contains { path.lowercased().hasSuffix($0) }
  }

  private struct MemberList {
    let group: String
    let source: Directory.Source
    var elements: [JSONValue] = []
  }

  /// The errors of a tenant's files, in order.
  package struct Errors: Error {
    /// At least one error.
    package let diagnostics: [Diagnostic]
  }

  /// Adds a file. Its errors are reported by ``finish()``.
  package mutating func add(_ file: ExportFolder.File) {
    let path = folder.path(of: file)
    guard !path.lowercased().hasSuffix(".csv") else { return add(table: file, path) }
    let objects: GraphObjects
    do throws(JSONSyntaxError) {
      objects = try GraphObjects(of: file.bytes)
    } catch {
      let message = ForeignText(file.bytes, file: path)?.message ?? error.message
      errors.append(Diagnostic(.file(path, error.position), message, rule: "jsonSyntax"))
      return
    }
    if ExportFolder.parts(of: file.path).dropLast().contains("assignments") {
      return assignments.append(file)
    }
    let document = DocumentFile<DirectoryDocuments>(path)
    let text = DocumentText(file.bytes)
    var kinds: Set<String> = []
    let context = objects.root["@odata.context"]?.string
    let isMarked = context?.contains("#directoryObjects") ?? false
    let group = Self.stem(of: file)
    let isNamedByID =
      objects.hasList && group.isGUID && !ExportFolder.parts(of: file.path).contains("owners")
    var members: [JSONValue] = []
    for object in objects where object.members != nil {
      if isMarked || isNamedByID { members.append(object) }
      do throws(DirectoryError) {
        try add(object, in: objects.root, document, text, &kinds)
      } catch {
        errors.append(error.diagnostic)
      }
    }
    let key = group.lowercased()
    // Graph's context of `/groups/ID/members/microsoft.graph.user` is `#users`; with `odata.metadata=none`, Graph writes
    // no context.
    let isPossible = isNamedByID && kinds.isSubset(of: ["user"])
    note(pageOf: objects.root, isMarked || isPossible ? key : context ?? path, path)
    let source = Directory.Source(file: path, position: objects.root.position)
    let list = MemberList(group: group, source: source)
    if isMarked {
      memberLists[key, default: list].elements += members
    } else if isPossible {
      possibleMemberLists[key, default: list].elements += members
    } else if objects.hasList, !kinds.isDisjoint(with: ["user", "untyped"]) {
      unmarkedLists.append((group, source))
    }
    if kinds.contains("policy") { policies.append(file) }
    if kinds.contains("configuration") { configurations.append(file) }
    if kinds.contains("conditionalAccess") { conditionalAccess.append(file) }
  }

  private static func stem(of file: ExportFolder.File) -> String {
    let name = file.path.split(separator: "/").last ?? ""
    return String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
  }

  /// Updates ``openPages`` with one page of a Graph response. `context` is the same on all pages of the response.
  private mutating func note(pageOf root: JSONValue, _ context: String, _ path: String) {
    guard let link = root["@odata.nextLink"] else {
      openPages[context] = .some(nil)
      return
    }
    guard openPages[context] == nil else { return }
    openPages[context] = Diagnostic(
      .file(path, link.position),
      "the response continues at `@odata.nextLink`, so further objects are missing; also save the other pages",
      rule: "missingPages", severity: .warning)
  }

  /// Adds a hand-written file of users and groups.
  ///
  /// - Parameter path: The path, relative to the folder.
  package mutating func add(writtenDirectory content: JSONValue, text: String, path: String) {
    let name = folder.path(of: ExportFolder.File(path: path, bytes: []))
    writtenDirectories.append(WrittenDirectory(content, text: text, in: DocumentFile(name)))
  }

  /// Adds a file that ``ExportFolder/scripts(among:)`` lists. It is not read, but messages name it.
  package mutating func add(script file: ExportFolder.File) { scripts.append(file) }

  package mutating func add(errors diagnostics: [Diagnostic]) { errors += diagnostics }

  private mutating func add(
    _ object: JSONValue, in root: JSONValue, _ document: DocumentFile<DirectoryDocuments>,
    _ text: DocumentText, _ kinds: inout Set<String>
  ) throws(DirectoryError) {
    guard let type = ObjectType(of: object, in: root) else {
      kinds.insert("untyped")
      return addMigrationTable(object, document)
    }
    switch type.kind {
    case .iOSPolicy:
      kinds.insert("policy")
      try addDynamicGroups(of: object, document, text)
    case .managedAppConfiguration, .managedDeviceConfiguration, .tenantDefault:
      kinds.insert("configuration")
      try addDynamicGroups(of: object, document, text)
    case .conditionalAccessPolicy: kinds.insert("conditionalAccess")
    case .user:
      kinds.insert("user")
      try people.read(user: object, in: document)
    case .group: try people.read(group: object, in: document, text: text)
    case .assignmentFilter: try people.read(filter: object, in: document, text: text)
    case .mobileApp:
      guard let bundleID = object["bundleId"]?.string else { break }
      // IntuneCD writes an app's name in place of its id.
      for name in ["id", "displayName"].compactMap({ object[$0]?.string?.lowercased() }) {
        apps[name] = apps[name] ?? bundleID
      }
    case .otherPolicy(let platform):
      skipped["policy for \(platform)", default: 0] += 1
    case .targeting, .other: skipped["other object", default: 0] += 1
    }
  }

  /// Reads the names of groups that IntuneManagement writes into `MigrationTable.json`.
  private mutating func addMigrationTable(
    _ object: JSONValue, _ document: DocumentFile<DirectoryDocuments>
  ) {
    guard let entries = object["Objects"]?.array, object["TenantId"] != nil else {
      skipped["other object", default: 0] += 1
      return
    }
    for entry in entries where entry["Type"]?.string?.lowercased() == "group" {
      guard let id = entry["Id"]?.string else { continue }
      people.builder.add(
        groupID: id, displayName: entry["DisplayName"]?.string, .nothing,
        source: Directory.Source(file: document.name, position: entry.position))
    }
  }

  /// Adds the dynamic groups whose membership rules IntuneCD writes into an assignment.
  private mutating func addDynamicGroups(
    of object: JSONValue, _ document: DocumentFile<DirectoryDocuments>, _ text: DocumentText
  ) throws(DirectoryError) {
    for target in Assignment.dynamicGroups(in: object) {
      try people.read(assignedGroup: target, in: document, text: text)
    }
  }

  private mutating func add(table file: ExportFolder.File, _ path: String) {
    let name = Self.stem(of: file)
    var text = String.UnicodeScalarView()
    var invalid: JSONSyntaxError?
    do throws(JSONSyntaxError) {
      text.append(contentsOf: try TextDecoding.scalars(of: file.bytes))
    } catch {
      // An error only for a table about users or members.
      invalid = error
      text.append(contentsOf: String(decoding: file.bytes, as: UTF8.self).unicodeScalars)
    }
    do throws(DirectoryError) {
      try people.read(table: String(text), named: name, file: path)
      guard let invalid else { return }
      errors.append(
        Diagnostic(
          .file(path, invalid.position), "\(invalid.message); save the table as UTF-8",
          rule: DirectoryErrorCode.wrongTable.rawValue))
    } catch  where error.code == .foreignTable {
      var diagnostic = error.diagnostic
      diagnostic.severity = .note
      diagnostic.message += "; it is skipped"
      skippedTables.append(diagnostic)
    } catch {
      errors.append(error.diagnostic)
    }
  }

  /// Returns the tenant.
  ///
  /// - Throws: The errors of all files, or an error if the files contain neither a policy nor a configuration. Other
  ///   objects are counted and cause no error.
  package consuming func finish() throws(Errors) -> Tenant {
    var diagnostics: [Diagnostic] = []
    var documents: [PolicyDocument] = []
    let survey = folder.survey(policies)
    errors += survey.files.flatMap(\.errors).map(\.diagnostic)
    documents = survey.files.flatMap(\.policies).map(\.document)
    folder.attach(assignments, to: &documents)
    var configured: [AppConfigurationDocument] = []
    for file in configurations {
      do throws(DocumentErrors<AppConfigurationErrorCode>) {
        configured += try AppConfigurationFolder(name: folder.name).configurations(in: [file])
      } catch {
        errors += error.errors.map(\.diagnostic)
      }
    }
    folder.attach(assignments, to: &configured)
    var access: [ConditionalAccessPolicy] = []
    for file in conditionalAccess {
      do throws(DocumentErrors<ConditionalAccessErrorCode>) {
        access += try ConditionalAccessReader.read([file], in: folder)
      } catch {
        errors += error.errors.map(\.diagnostic)
      }
    }
    let named = Self.groups(
      assignments: documents.flatMap { $0.assignments ?? [] }
        + configured.flatMap { $0.assignments ?? [] }, access)
    for (id, list) in possibleMemberLists
    where people.builder.hasGroup(id) || named.contains(where: { $0.id == id }) {
      memberLists[id, default: MemberList(group: list.group, source: list.source)].elements +=
        list.elements
    }
    for (key, list) in memberLists.sorted(by: { $0.key < $1.key }) {
      let isComplete = openPages[key].flatMap(\.self) == nil
      people.read(
        members: list.elements, of: list.group, isComplete: isComplete, source: list.source)
    }
    errors += WrittenDirectory.add(writtenDirectories, to: &people.builder, named: named)
      .map(\.diagnostic)
    guard errors.isEmpty else { throw Errors(diagnostics: errors) }
    let copies =
      Self.removeCopies(of: "policy", from: &documents)
      + Self.removeCopies(of: "app configuration", from: &configured)
      + Self.removeCopies(of: "conditional access policy", from: &access)
    let directory = people.builder.finish()
    guard !documents.isEmpty || !configured.isEmpty || !access.isEmpty else {
      throw Errors(diagnostics: [
        Diagnostic(
          .path(folder.name),
          "the folder contains no app protection policy for iOS, no app configuration and no "
            + "conditional access policy" + counts(", only ") + folder.naming(scripts),
          rule: "noTenant")
      ])
    }
    diagnostics += documents.flatMap { $0.warnings.map(\.diagnostic) } + copies
    let unassigned =
      documents.filter { $0.assignments == nil }.map(\.displayName)
      + configured.filter { $0.assignments == nil && !$0.isDefault }.map(\.displayName)
    if !unassigned.isEmpty {
      diagnostics.append(
        Diagnostic(
          .path(folder.name),
          "the export states no assignments of \(ListFormat.first(4, of: unassigned.map { "`\($0)`" })), so no user gets "
            + "\(unassigned.count == 1 ? "it" : "them"); export assignments too, as with `$expand=assignments`",
          rule: "assignments", severity: .note))
    }
    for document in configured {
      let unresolved = document.mobileApps.filter { apps[$0.lowercased()] == nil }
      for warning in document.warnings where warning.code != .opaqueApps || !unresolved.isEmpty {
        var diagnostic = warning.diagnostic
        if warning.code == .opaqueApps {
          diagnostic.message =
            "the export does not contain the apps "
            + ListFormat.first(3, of: unresolved.map { "`\($0)`" })
            + ", so the configuration reaches none of them; also export `deviceAppManagement/mobileApps`"
        }
        diagnostics.append(diagnostic)
      }
    }
    diagnostics += access.flatMap { $0.warnings.map(\.diagnostic) }
    diagnostics += people.builder.warnings.map(\.diagnostic)
    for (name, source) in unmarkedLists {
      let reference = GroupReference(id: name.lowercased(), name: name)
      guard let group = directory.group(reference), !directory.statesMembers(group) else {
        continue
      }
      diagnostics.append(
        Diagnostic(
          .file(source.file, source.position),
          "the list does not state whether it contains the members of `\(name)`, so they are unknown; keep Graph's "
            + "`@odata.context`, or the users' `userPrincipalName` in a file named after the group's id (a GUID)",
          rule: "unmarkedMembers", severity: .note))
    }
    diagnostics += openPages.values.compactMap(\.self).sorted { "\($0)" < "\($1)" }
    diagnostics += skippedTables
    let counted = counts("skipped ")
    if !counted.isEmpty {
      diagnostics.append(
        Diagnostic(.path(folder.name), counted, rule: "skippedObjects", severity: .note))
    }
    if !scripts.isEmpty {
      diagnostics.append(
        Diagnostic(
          .path(folder.name),
          "skipped \(scripts.count.counting("file")) of other tools\(folder.naming(scripts))",
          rule: "skippedFiles", severity: .note))
    }
    return Tenant(
      folder: folder.name, policies: documents, configurations: configured,
      conditionalAccess: access,
      directory: directory, filters: people.filters, apps: apps,
      diagnostics: diagnostics)
  }

  private static func groups(
    assignments: [Assignment], _ access: [ConditionalAccessPolicy]
  ) -> [GroupReference] {
    let principals = access.flatMap { $0.principals.included + $0.principals.excluded }
    return assignments.compactMap(\.group) + principals.flatMap(\.members).compactMap(\.group)
  }

  /// Removes each document with the id of an earlier document. Documents without an id are kept.
  ///
  /// - Returns: A warning for each removed document.
  private static func removeCopies<Document: ExportedDocument>(
    of noun: String, from documents: inout [Document]
  ) -> [Diagnostic] {
    var first: [String: Document] = [:]
    var warnings: [Diagnostic] = []
    documents.removeAll { document in
      guard let id = document.id?.lowercased() else { return false }
      guard let known = first[id] else {
        first[id] = document
        return false
      }
      warnings.append(
        Diagnostic(
          .file(document.file, document.position),
          "the \(noun) `\(document.displayName)` is exported twice; the export in "
            + "\(known.file):\(known.position.line) is used",
          rule: "duplicateObject", severity: .warning))
      return true
    }
    return warnings
  }

  /// Returns `prefix`, followed by the count of skipped objects of each kind. Returns an empty text if no object was
  /// skipped.
  private func counts(_ prefix: String) -> String {
    guard !skipped.isEmpty else { return "" }
    let words = skipped.sorted { $0.key < $1.key }.map { noun, count in
      guard count > 1 else { return "1 \(noun)" }
      return "\(count) "
        + (noun == "other object" ? "other objects" : noun.replacing("policy", with: "policies"))
    }
    return prefix + ListFormat.all(of: words)
  }
}
