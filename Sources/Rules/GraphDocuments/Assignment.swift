package import JSON

/// One entry of a document's `assignments`.
///
/// Source: Microsoft Graph, resource type `deviceAndAppManagementAssignmentTarget` and the types derived from
/// it.
package struct Assignment: Sendable {
  package enum Target: Sendable, Hashable {
    case group(GroupReference)
    case exclusion(GroupReference)
    /// All users with a licence for Intune.
    case allLicensedUsers
    /// All enrolled devices. Of no effect for app protection policies and for configurations of managed apps,
    /// which are assigned to users.
    case allDevices
    /// A target of another type, by its name.
    case other(String)
  }

  /// A filter of the assignment, and the effect on what it matches.
  package struct Filter: Sendable, Hashable {
    package enum Mode: String, Sendable, CaseIterable {
      case include, exclude
    }

    /// The filter's id or name; empty if the export does not state it.
    package var name: String
    package var mode: Mode
  }

  package var target: Target
  package var filter: Filter?
  package var position: Position

  /// Reads the entries of `assignments`, or of a tool's file of assignments.
  ///
  /// - Returns: Nil if the document states no assignments.
  package static func assignments(of document: JSONValue) -> [Assignment]? {
    (document.property("assignments")?.value.array ?? document.array)?.map { Assignment($0) }
  }

  private init(_ entry: JSONValue) {
    // Graph nests the target; some tools write it flat.
    let target = entry["target"] ?? entry
    position = target.position
    let type = target["@odata.type"]?.string?.split(separator: ".").last.map(String.init)
    // IntuneCD writes names in place of ids.
    let group = GroupReference(
      id: target["groupId"]?.string,
      name: target["groupName"]?.string ?? target["groupDisplayName"]?.string)
    self.target =
      switch type {
      case "exclusionGroupAssignmentTarget": .exclusion(group)
      case "allLicensedUsersAssignmentTarget": .allLicensedUsers
      case "allDevicesAssignmentTarget": .allDevices
      case "groupAssignmentTarget": .group(group)
      case nil where !group.text.isEmpty: .group(group)
      default:  // open: names of types
        .other(type ?? "an object without `@odata.type`")
      }
    let mode = target["deviceAndAppManagementAssignmentFilterType"]?.string
    if let mode = mode.flatMap(Filter.Mode.init) {
      let name = target["deviceAndAppManagementAssignmentFilterId"]?.string
      filter = Filter(name: name ?? "", mode: mode)
    }
  }

  /// The groups that `assignments` describe by a membership rule, as IntuneCD writes them.
  package static func dynamicGroups(in document: JSONValue) -> [JSONValue] {
    (document.property("assignments")?.value.array ?? []).compactMap { entry in
      let target = entry["target"] ?? entry
      return target["membershipRule"]?.string == nil ? nil : target
    }
  }
}

/// A group as an assignment names it.
package struct GroupReference: Sendable, Hashable {
  /// In lower case.
  package var id: String?
  package var name: String?

  package init(id: String? = nil, name: String? = nil) {
    self.id = id?.lowercased()
    self.name = name
  }

  /// The name, or the id.
  package var text: String { name ?? id ?? "" }
}

extension Assignment {
  /// A condition that depends on the directory: the document does not list the accounts.
  package enum Condition: String, Sendable, CaseIterable {
    case groups, exclusions, filters
  }

  /// The conditions that only the directory and the device can answer.
  package var conditions: Set<Condition> {
    var conditions: Set<Condition> = filter == nil ? [] : [.filters]
    switch target {
    case .allLicensedUsers, .allDevices: break
    case .exclusion: conditions.insert(.exclusions)
    case .group, .other: conditions.insert(.groups)
    }
    return conditions
  }
}
