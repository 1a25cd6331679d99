package import Encodings

/// One entry of a document's `assignments`.
///
/// Source: Microsoft Graph, resource type `deviceAndAppManagementAssignmentTarget` and the types derived from it.
package struct Assignment: Sendable {
  /// The users or devices that an entry includes or excludes.
  package enum Target: Sendable, Hashable {
    case group(GroupReference)
    case exclusion(GroupReference)
    /// All users with a licence for Intune.
    case allLicensedUsers
    /// All enrolled devices. This target has no effect on documents that are assigned to users: app protection policies
    /// and configurations of managed apps.
    case allDevices
    /// A target of another type. The value is the type's name.
    case other(String)
  }

  /// The filter of an assignment, and whether matching devices or apps are included or excluded.
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
  /// The position of the target.
  package var position: Position

  package init(_ target: Target, filter: Filter? = nil, at position: Position) {
    self.target = target
    self.filter = filter
    self.position = position
  }

  /// Reads the assignments of a document, or of a separate file in which a tool stores them. Accepts a list, Graph's
  /// response with `value`, and a single entry: PowerShell's `ConvertTo-Json` writes a list with one element in this
  /// form.
  ///
  /// - Returns: nil if the document states no assignments.
  package static func assignments(of document: JSONValue) -> [Assignment]? {
    let entries =
      document.property("assignments")?.value.array ?? document.array
      ?? document.property("value")?.value.array
      ?? (document["target"]?.members == nil ? nil : [document])
    return entries?.map { Assignment($0) }
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
    let mode = target["deviceAndAppManagementAssignmentFilterType"]?.string?.lowercased()
    if let mode = mode.flatMap(Filter.Mode.init) {
      let name = target["deviceAndAppManagementAssignmentFilterId"]?.string
      filter = Filter(name: name ?? "", mode: mode)
    }
  }

  /// Returns the targets of `assignments` that contain a membership rule. IntuneCD writes the rules of dynamic groups
  /// into these targets.
  package static func dynamicGroups(in document: JSONValue) -> [JSONValue] {
    (document.property("assignments")?.value.array ?? []).compactMap { entry in
      let target = entry["target"] ?? entry
      return target["membershipRule"]?.string == nil ? nil : target
    }
  }
}

/// A reference to a group by id, by name or by both.
package struct GroupReference: Sendable, Hashable {
  /// The object id, in lower case; nil if the reference has none.
  package var id: String?
  /// The name, in the export's spelling; nil if the reference has none.
  package var name: String?

  package init(id: String? = nil, name: String? = nil) {
    self.id = id?.lowercased()
    self.name = name
  }

  /// The name; the id if there is no name.
  package var text: String { name ?? id ?? "" }
}

extension Assignment {
  /// A part of an assignment whose effect depends on the directory or the device. With such a part, the document alone
  /// does not determine the accounts.
  package enum Condition: String, Sendable, CaseIterable {
    case groups, exclusions, filters
  }

  /// The parts of the assignment whose effect depends on the directory or the device.
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
