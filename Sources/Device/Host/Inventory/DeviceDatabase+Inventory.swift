internal import GRDB
internal import JSON
internal import Model

/// The data that a device which is down gives to an inventory.
extension DeviceDatabase {
  private static let appsName = "apps"

  /// Adds to the apps that are known to be installed: all of these apps, or none.
  ///
  /// - Throws: ``HostError`` where the database fails, or an app has the name of an app of another bundle.
  func remember(_ apps: [InstalledApp]) throws(HostError) {
    try access { database in
      var known = try Self.installedApps(database)
      var places: [String: Int] = [:]
      for (place, app) in known.enumerated() { places[app.name] = place }
      for app in apps {
        guard let place = places[app.name] else {
          places[app.name] = known.count
          known.append(app)
          continue
        }
        guard known[place].bundleID == app.bundleID else {
          throw HostError(
            .duplicateName,
            "the device has `\(known[place].bundleID)` as `\(app.name)`, which cannot become "
              + "`\(app.bundleID)`")
        }
        known[place] = app
      }
      try Self.setMeta(Self.appsName, Self.text(of: known), database)
    }
  }

  /// The apps that ``remember(_:)`` was given, in their order.
  func installedApps() throws(HostError) -> [InstalledApp] {
    try look(Self.installedApps)
  }

  /// Names of the apps with sign-ins or a configuration, in alphabetical order.
  func namesOfAppsInUse() throws(HostError) -> [String] {
    try look { database in
      try database.rows(
        "SELECT app FROM signIn UNION SELECT app FROM configuration ORDER BY app"
      ).map { $0["app"] }
    }
  }

  /// All accounts that the device knows, and whether there is a key for the files of each.
  func accountsWithKeys() throws(HostError) -> [(account: Account, hasKey: Bool)] {
    let spellings = try look(Self.known)
    return try accounts().map { account in
      (account, spellings.contains { $0.wrappedKey != nil && $0.account.isSame(as: account) })
    }
  }

  private static func installedApps(_ database: Database) throws -> [InstalledApp] {
    guard let text = try meta(appsName, database) else { return [] }
    return (try JSONReader.read(text).array ?? []).compactMap { app in
      guard let name = app["name"]?.string, let bundleID = app["bundle"]?.string,
        let team = app["team"]?.string
      else { return nil }
      return InstalledApp(name: name, bundleID: bundleID, team: team)
    }
  }

  private static func text(of apps: [InstalledApp]) -> String {
    var writer = JSONWriter()
    writer.array { writer in
      for app in apps {
        writer.object { writer in
          writer.member("name", app.name)
          writer.member("bundle", app.bundleID)
          writer.member("team", app.team)
        }
      }
    }
    return writer.text
  }
}
