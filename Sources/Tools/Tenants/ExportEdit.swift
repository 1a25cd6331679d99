internal import AppConfiguration
internal import Directory
internal import Encodings
package import GraphDocuments
internal import Model
internal import Policy

/// The files of an export after changes. Only the bytes of the changed values differ.
extension Tenant {
  /// Returns the contents of the affected files after the changes.
  ///
  /// A tenant that is read from these files and the unaffected files gives the same answers as the result of
  /// ``applying(_:to:)``.
  ///
  /// - Parameters:
  ///   - policies: The policies to which a setting applies if the change names no policy; nil for all.
  ///   - paths: The paths of all files, relative to the export.
  ///   - read: Returns the bytes of a file; nil if it cannot be read.
  /// - Throws: ``TenantChangeError`` for the first change that cannot be made or written.
  package func files(
    after changes: [TenantChange], to policies: Set<Int>? = nil, among paths: [String],
    _ read: (String) -> [UInt8]?
  ) throws(TenantChangeError) -> [ExportFolder.File] {
    var tenant = self
    var edit = ExportEdit(folder: ExportFolder(name: folder), paths: paths)
    for change in changes {
      let (after, steps) = try tenant.resolving([change], to: policies)
      for step in steps {
        do throws(ExportEdit.Refusal) {
          try edit.apply(step, to: tenant, read)
        } catch {
          throw TenantChangeError(change: change, message: error.message)
        }
      }
      tenant = after
    }
    return edit.files
  }
}

extension Tenant {
  /// Returns a copy of the tenant in which added settings cite their own lines in the changed files. Before, they cite
  /// the line of the policy's object.
  ///
  /// - Parameters:
  ///   - files: The changed files, as ``files(after:to:among:_:)`` returns them.
  ///   - former: The tenant before the changes.
  package func citing(_ files: [ExportFolder.File], addedTo former: Tenant) -> Tenant {
    let survey = ExportFolder(name: folder).survey(files)
    let documents = survey.files.flatMap(\.policies).map(\.document)
    var policies = self.policies
    for (index, before) in zip(policies.indices, former.policies) {
      let policy = policies[index]
      let added = policy.origins.keys.filter { before.origins[$0] == nil }
      guard !added.isEmpty,
        let document = documents.first(where: {
          $0.file == policy.file && $0.id == policy.id && $0.displayName == policy.displayName
        })
      else { continue }
      for setting in added {
        policies[index].origins[setting] = document.origins[setting] ?? policy.origins[setting]
      }
    }
    return Tenant(
      folder: folder, policies: policies, configurations: configurations,
      conditionalAccess: conditionalAccess, directory: directory, filters: judge.filters,
      apps: apps,
      diagnostics: diagnostics)
  }
}

private struct ExportEdit {
  private let folder: ExportFolder
  private let paths: [String]
  private var edits: [String: JSONEdit] = [:]
  /// A cache of the locations of assignments, by document.
  private var lists: [TenantStep.Document: AssignmentList] = [:]

  struct Refusal: Error {
    let message: String
  }

  init(folder: ExportFolder, paths: [String]) {
    self.folder = folder
    self.paths = paths
  }

  var files: [ExportFolder.File] {
    edits.filter(\.value.isChanged).sorted { $0.key < $1.key }.map { path, edit in
      ExportFolder.File(path: path, bytes: edit.bytes)
    }
  }

  /// Changes the files for one step of a tenant change.
  ///
  /// - Parameter tenant: The tenant before this change.
  mutating func apply(
    _ step: TenantStep, to tenant: Tenant, _ read: (String) -> [UInt8]?
  ) throws(Refusal) {
    switch step {
    case .set(let index, let change):
      let policy = tenant.policies[index]
      var settings = policy.settings
      change.apply(to: &settings)
      let differing = settings.differences(from: policy.settings)
      try edit(policy.file, read) { edit in
        for (setting, json) in change.values where differing.contains(setting) {
          edit.set(setting.rawValue, to: json, inObjectAt: policy.position)
        }
      }
    case .assign(let document, let target):
      let list = try list(of: document, in: tenant, read)
      try edit(list.file, read) { edit in
        let entry = Self.entry(for: target, like: list.entries(in: edit), tenant.directory)
        guard let name = list.name else { return edit.append(entry) }
        edit.append(entry, to: name, inObjectAt: list.object)
      }
    case .unassign(let document, let index):
      let list = try list(of: document, in: tenant, read)
      try edit(list.file, read) { edit in
        edit.remove(elementAt: index, of: list.name, inObjectAt: list.object)
      }
    case .member(let user, let group):
      guard try !addMember(user, to: group, tenant.directory, read) else { return }
      try addGroup(group, to: user, tenant.directory, read)
    }
  }

  /// Calls `body` to change a JSON file.
  ///
  /// - Parameter file: The path with the folder's name.
  private mutating func edit<Result>(
    _ file: String, _ read: (String) -> [UInt8]?, _ body: (inout JSONEdit) -> Result
  ) throws(Refusal) -> Result {
    let path = String(file.dropFirst(folder.name.count + 1))
    var edit = edits[path]
    if edit == nil, path.lowercased().hasSuffix(".json"), let bytes = read(path) {
      edit = try? JSONEdit(bytes)
    }
    guard var edit else {
      throw Refusal(message: "the change cannot be written, because `\(file)` is not JSON")
    }
    let result = body(&edit)
    edits[path] = edit
    return result
  }

  // MARK: Assignments

  private struct AssignmentList {
    var file: String
    /// The position of the object that contains the list.
    var object: Position
    /// The name of the list; nil if the list is the whole file.
    var name: String?

    func entries(in edit: JSONEdit) -> [JSONValue] {
      let list = name.map { edit.value($0, inObjectAt: object) } ?? edit.value
      return list?.array ?? []
    }
  }

  private mutating func list(
    of document: TenantStep.Document, in tenant: Tenant, _ read: (String) -> [UInt8]?
  ) throws(Refusal) -> AssignmentList {
    if let known = lists[document] { return known }
    let file: String
    let position: Position
    let (id, name): (String?, String)
    let isStated: Bool
    switch document {
    case .policy(let index):
      let policy = tenant.policies[index]
      (file, position, id, name) = (policy.file, policy.position, policy.id, policy.displayName)
      isStated = policy.assignments != nil
    case .configuration(let index):
      let configuration = tenant.configurations[index]
      (file, position) = (configuration.file, configuration.position)
      (id, name) = (nil, configuration.displayName)
      isStated = configuration.assignments != nil
    }
    var list = AssignmentList(file: file, object: position, name: "assignments")
    let isOwn = try edit(file, read) { edit in
      edit.value("assignments", inObjectAt: position)?.array != nil
    }
    if isStated, !isOwn {
      list = try separateList(of: id, name, read)
    }
    lists[document] = list
    return list
  }

  /// Returns the list in the separate assignment file that some tools write.
  private func separateList(
    of id: String?, _ name: String, _ read: (String) -> [UInt8]?
  ) throws(Refusal) -> AssignmentList {
    for path in folder.assignmentFiles(among: paths) {
      guard let bytes = read(path), let root = try? JSONReader.read(bytes) else { continue }
      let file = ExportFolder.File(path: path, bytes: bytes)
      guard let assignments = ExportFolder.AssignmentFile(file, in: folder),
        assignments.isOf(id: id, displayName: name)
      else { continue }
      let key = ["assignments", "value"].first { root[$0]?.array != nil }
      guard key != nil || root.array != nil else {
        throw Refusal(
          message: "the change cannot be written, because `\(folder.path(of: file))` is not a list")
      }
      return AssignmentList(file: folder.path(of: file), object: root.position, name: key)
    }
    throw Refusal(message: "no file states the assignments of `\(name)`")
  }

  private static func entry(
    for target: Assignment.Target, like others: [JSONValue], _ directory: Directory
  ) -> JSONValue {
    let type: String
    var reference: GroupReference?
    switch target {
    case .group(let group): (type, reference) = ("groupAssignmentTarget", group)
    case .exclusion(let group): (type, reference) = ("exclusionGroupAssignmentTarget", group)
    case .allLicensedUsers: type = "allLicensedUsersAssignmentTarget"
    case .allDevices: type = "allDevicesAssignmentTarget"
    case .other(let name): type = name
    }
    var members = [("@odata.type", "#microsoft.graph.\(type)")]
    if let reference {
      // IntuneCD writes names in place of ids.
      let areNamed = others.contains {
        let target = $0["target"] ?? $0
        return target["groupName"] != nil && target["groupId"] == nil
      }
      let name = directory.group(reference).map { directory.groups[$0].displayName }
      if let id = reference.id, !areNamed || name == nil {
        members.append(("groupId", id))
      } else {
        members.append(("groupName", name ?? reference.text))
      }
    }
    let isFlat = !others.isEmpty && others.allSatisfy { $0["target"] == nil }
    let object = object(members)
    guard !isFlat else { return object }
    return JSONValue(
      .object([JSONValue.Member(name: "target", position: nowhere, value: object)]),
      at: nowhere)
  }

  private static let nowhere = Position(line: 1, column: 1)

  private static func object(_ members: [(String, String?)]) -> JSONValue {
    JSONValue(
      .object(
        members.compactMap { name, text in
          text.map {
            JSONValue.Member(
              name: name, position: nowhere, value: JSONValue(.string($0), at: nowhere))
          }
        }), at: nowhere)
  }

  // MARK: Members

  /// Adds a user to a group's list of members. Returns false if the export has no such list in a JSON file, or if the
  /// new list would have the length at which Graph may truncate lists.
  private mutating func addMember(
    _ user: Int, to group: Int, _ directory: Directory, _ read: (String) -> [UInt8]?
  ) throws(Refusal) -> Bool {
    let source = directory.groups[group].source
    guard directory.listsMembers(group), source.file.lowercased().hasSuffix(".json") else {
      return false
    }
    let user = directory.users[user]
    return try edit(source.file, read) { edit in
      let lists = ["transitiveMembers", "members"].compactMap { name in
        edit.value(name, inObjectAt: source.position)?.array.map { (name: name, elements: $0) }
      }
      guard let (name, others) = lists.first else { return false }
      let areObjects = others.allSatisfy { $0.members != nil }
      // Lists of 20 objects count as cut off.
      guard !areObjects || others.count != 19 && others.count != 20 else { return false }
      let areNames = others.contains { $0.string?.contains("@") == true }
      let element =
        areObjects
        ? Self.object([
          ("@odata.type", "#microsoft.graph.user"), ("id", user.id),
          ("userPrincipalName", user.upn == user.id ? nil : user.upn),
        ])
        : JSONValue(.string(areNames ? user.upn : user.id ?? user.upn), at: Self.nowhere)
      edit.append(element, to: name, inObjectAt: source.position)
      return true
    }
  }

  private mutating func addGroup(
    _ group: Int, to user: Int, _ directory: Directory, _ read: (String) -> [UInt8]?
  ) throws(Refusal) {
    let source = directory.users[user].source
    let group = directory.groups[group]
    let element = Self.object([
      ("@odata.type", "#microsoft.graph.group"), ("id", group.id),
      ("displayName", group.displayName),
    ])
    try edit(source.file, read) { edit in
      let isTransitive =
        edit.value("transitiveMemberOf", inObjectAt: source.position)?.array != nil
      edit.append(
        element, to: isTransitive ? "transitiveMemberOf" : "memberOf",
        inObjectAt: source.position)
    }
  }
}
