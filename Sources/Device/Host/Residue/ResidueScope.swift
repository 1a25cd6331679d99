/// The part of a device that is searched.
package enum ResidueScope: Sendable {
  case device
  /// Only the parts that these apps can reach.
  case apps([App])

  /// An app that is searched.
  package struct App: Sendable {
    /// The app's name on the device, after which its container is named.
    package var name: String
    /// Bundle id; nil where it is not known: then the app's check-ins are not searched.
    package var bundleID: String?
    /// App groups and keychain groups that the app uses.
    package var groups: [String]

    /// Creates an app by its name on the device.
    package init(name: String, bundleID: String? = nil, groups: [String] = []) {
      self.name = name
      self.bundleID = bundleID
      self.groups = groups
    }
  }

  /// The store that a file is in, by its path from the device's folder; nil where the file is not to be searched.
  func store(of path: [UInt8]) -> ResidueFinding.Store? {
    let names = path.split(separator: UInt8(ascii: "/"), maxSplits: 2)
      .map { String(decoding: $0, as: UTF8.self) }
    let store = Self.store(of: names[0])
    guard case .apps(let apps) = self else { return store }
    guard names.count > 1 else { return nil }
    switch store {
    case .container: return apps.contains { $0.name == names[1] } ? store : nil
    case .group: return apps.contains { $0.groups.contains(names[1]) } ? store : nil
    case .system, .database, .journal, .other: return nil
    }
  }

  private static func store(of name: String) -> ResidueFinding.Store {
    switch name {
    case "Containers": .container
    case "Groups": .group
    case "System": .system
    case "journal.jsonl": .journal
    case let name where name.hasPrefix("device.sqlite"): .database
    default: .other  // open: any other name in the device's folder
    }
  }

  /// Whether a row concerns the scope, by the columns that say where the row belongs.
  func contains(_ row: ResidueRow) -> Bool {
    guard case .apps(let apps) = self else { return true }
    return apps.contains { app in
      if let name = row.text("app") { return name == app.name || name == app.bundleID }
      if let group = row.text("accessGroup") { return app.groups.contains(group) }
      guard let folder = row.text("scope") else { return false }
      return folder == "Containers/\(app.name)"
        || app.groups.contains { folder == "Groups/\($0)" }
    }
  }
}
