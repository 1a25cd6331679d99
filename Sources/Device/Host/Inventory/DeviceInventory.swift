internal import Encodings
internal import FileProtection
internal import Glibc
internal import GRDB
package import Model
internal import Policy
internal import Wire

/// All data on a device except secrets: it contains no keychain values, PINs, keys or file contents.
///
/// If the device is running, files may have changed since its database was read.
package struct DeviceInventory: Sendable {
  /// The device's name; nil if the device was never started.
  package var name: String?
  package var state: State
  /// The time of the virtual clock when the device last saved it, in seconds since 1970-01-01T00:00:00Z. Nil if the
  /// device never saved it.
  package var clock: Int?
  package var journal: Journal
  /// The size of the database in bytes, without its write-ahead log; 0 if unknown.
  package var databaseSize: Int
  package var apps: [App]
  package var accounts: [KnownAccount]
  /// The containers sorted by name, the app groups sorted by name, and the folder of data that apps gave to the system.
  /// Missing folders are omitted.
  package var folders: [Folder]
  package var keychain: [KeychainGroup]
  package var pins: [PINState]
  /// File moves that have begun and are neither completed nor cancelled.
  package var pendingMoves: [Move]

  package enum State: String, Sendable {
    case down
    /// A process is running the device, or is beginning to erase it.
    case inUse
    /// The keys have been erased, but not all other data. The erasure is in progress or was interrupted.
    case halfErased
  }

  package struct Journal: Sendable {
    package var eventCount: Int
    /// The size in bytes; 0 if the journal cannot be read.
    package var size: Int
  }

  package struct App: Sendable {
    package var name: String
    /// The bundle id; nil if only the name is known.
    package var bundleID: String?
    /// The publisher's team identifier; nil if unknown.
    package var team: String?
    /// The app's sign-ins, in order of sign-in.
    package var signIns: [SignIn]
  }

  package struct SignIn: Sendable {
    package var account: Account
    package var isEnrolled: Bool
    /// The names of the policies that target the account in the app, as last stored by the device.
    package var policies: [String]
  }

  package struct KnownAccount: Sendable {
    package var account: Account
    /// Whether the device has a key for the account's encrypted files.
    package var hasKey: Bool
  }

  package struct Folder: Sendable {
    /// The path relative to the device's folder, such as `Containers/mail` or `Groups/group.com.contoso`.
    package var path: String
    /// The folder's files, sorted by path.
    package var files: [File]
    /// Reasons why the folder, or parts of it, could not be read.
    package var problems: [String]
  }

  package struct File: Sendable {
    /// The path relative to the folder. Unprintable characters, backslashes and invalid UTF-8 are written as `\xNN`
    /// for each byte.
    package var path: String
    /// The size of the file in bytes; 0 if it cannot be opened. An encrypted file is larger than its content.
    package var size: Int
    /// The file's owner, from the header of an encrypted file or else from the database; nil if there is none.
    package var owner: Account?
    package var content: Content

    package enum Content: String, Sendable {
      case plain
      case encrypted
      /// The file cannot be read, or its header is damaged.
      case unreadable
    }
  }

  package struct KeychainGroup: Sendable {
    package var name: String
    /// The group's items, the earliest first.
    package var items: [KeychainItem]
  }

  /// A keychain item, without its value.
  package struct KeychainItem: Sendable {
    package var service: String
    package var account: String
    /// The item's owner, determined when the item was added: the signed-in account that the item's ``account`` named,
    /// or else the signed-in account that the app acted for. Nil if there was neither.
    package var owner: Account?
    /// The size of the value in bytes.
    package var size: Int
  }

  /// The state of an account's PIN for the apps of one publisher.
  package struct PINState: Sendable {
    package var team: String
    /// The account that set the PIN. The PIN remains even after the account has signed out of all apps.
    package var account: Account
    package var isSet: Bool
    /// The number of wrong PINs entered since the last correct or new PIN.
    package var failedAttempts: Int
    /// Whether a new PIN is required because too many wrong PINs were entered.
    package var isResetRequired: Bool
  }

  package struct Move: Sendable {
    /// The old path, relative to the device's folder.
    package var from: String
    package var to: String
  }
}

/// An app as stored in the database.
struct InstalledApp: Sendable, Equatable {
  var name: String
  var bundleID: String
  var team: String
}

// MARK: - Reading

extension DeviceInventory {
  /// Reads the device's files and database.
  ///
  /// - Parameter database: A copy of the device's database.
  init(of folders: Folders, _ database: DeviceDatabase, isInUse: Bool) throws(HostError) {
    name = try database.deviceName
    state = try database.isHalfErased ? .halfErased : isInUse ? .inUse : .down
    clock = try database.clock
    journal = Journal(countingEventsOf: folders.journal)
    var status = stat()
    databaseSize = stat(folders.database, &status) == 0 ? Int(status.st_size) : 0
    apps = try Self.apps(database)
    accounts = try database.accountsWithKeys().map {
      KnownAccount(account: $0.account, hasKey: $0.hasKey)
    }
    self.folders = []
    for scope in folders.scopes {
      if let folder = try Folder(scope, in: folders, database) { self.folders.append(folder) }
    }
    keychain = try Self.keychain(database)
    pins = try database.accessStates().sorted { $0.key < $1.key }.flatMap { team, entries in
      entries.map { entry in
        PINState(
          team: team, account: entry.account, isSet: entry.state.current != nil,
          failedAttempts: entry.state.failedAttempts,
          isResetRequired: entry.state.isResetRequired)
      }
    }
    pendingMoves = try database.pendingMoves().map {
      Move(from: $0.from.description, to: $0.to.description)
    }
  }

  private static func apps(_ database: DeviceDatabase) throws(HostError) -> [App] {
    var apps = try database.installedApps().map {
      App(name: $0.name, bundleID: $0.bundleID, team: $0.team, signIns: [])
    }
    let known = Set(apps.map(\.name))
    for name in try database.namesOfAppsInUse() where !known.contains(name) {
      apps.append(App(name: name, bundleID: nil, team: nil, signIns: []))
    }
    for index in apps.indices {
      apps[index].signIns = try database.enrollment(of: apps[index].name).map {
        SignIn(account: $0.account, isEnrolled: $0.isEnrolled, policies: $0.policies)
      }
    }
    return apps
  }

  private static func keychain(_ database: DeviceDatabase) throws(HostError) -> [KeychainGroup] {
    var groups: [String: [KeychainItem]] = [:]
    for item in try database.items() {
      groups[item.key.group, default: []].append(
        KeychainItem(
          service: item.key.service, account: item.key.account, owner: item.owner,
          size: item.byteCount))
    }
    return groups.sorted { $0.key < $1.key }.map { KeychainGroup(name: $0.key, items: $0.value) }
  }
}

extension DeviceInventory.Journal {
  /// Reads the journal at `path` to count its events and bytes. An incomplete last line is not an event.
  fileprivate init(countingEventsOf path: String) {
    self.init(eventCount: 0, size: 0)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      size += count
      eventCount += buffer[..<count].count { $0 == UInt8(ascii: "\n") }
    }
  }
}

extension DeviceInventory.Folder {
  /// Reads a folder. Returns nil if the folder does not exist.
  fileprivate init?(
    _ scope: String, in folders: Folders, _ database: DeviceDatabase
  ) throws(HostError) {
    let container: ContainerFolder
    do throws(ContainerError) {
      container = try ContainerFolder(path: "\(folders.root)/\(scope)")
    } catch {
      guard error.code != ENOENT else { return nil }
      self.init(path: scope, files: [], problems: [error.description])
      return
    }
    var paths: [[UInt8]] = []
    let unseen = container.walk(closed: .reported) { path, kind in
      if kind == .file { paths.append(path) }
    }
    self.init(path: scope, files: [], problems: unseen.map(\.description).sorted())
    for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard let place = FileLocation(scope: scope, path: path),
        let found = FoundContent(path, in: container)
      else { continue }
      // An encrypted file's header names its owner.
      let owner = found.content == .encrypted ? found.owner : try database.owner(of: place)
      files.append(
        DeviceInventory.File(
          path: place.name, size: found.size, owner: owner, content: found.content))
    }
  }
}

/// The size, owner and kind of content of a file, as far as they can be determined without the file's key.
private struct FoundContent {
  var size = 0
  var owner: Account?
  var content = DeviceInventory.File.Content.unreadable

  /// Inspects a file. Returns nil if the file no longer exists.
  init?(_ path: [UInt8], in container: ContainerFolder) {
    let file: Int32
    do throws(ContainerError) {
      file = try container.open(path, O_RDONLY)
    } catch {
      if error.isMissing { return nil }
      return
    }
    defer { close(file) }
    var status = stat()
    if fstat(file, &status) == 0 { size = Int(status.st_size) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = pread(file, &page, page.count, 0)
    guard count >= 0 else { return }
    do throws(FileProtectionError) {
      owner = try ProtectionHeader(Array(page.prefix(count))).owner
      content = .encrypted
    } catch {
      if error.code == .notProtected { content = .plain }
    }
  }
}

extension FileLocation {
  /// The path relative to the folder `scope`, escaped as in ``description``.
  fileprivate var name: String {
    String(decoding: description.utf8.dropFirst(scope.utf8.count + 1), as: UTF8.self)
  }
}

extension Folders {
  /// The paths of all folders that may contain apps' files, relative to the device's folder.
  fileprivate var scopes: [String] { scopes(in: "Containers") + scopes(in: "Groups") + ["System"] }

  /// Returns the paths of the subfolders of `folder`, sorted. If `folder` cannot be listed, returns only `folder`.
  private func scopes(in folder: String) -> [String] {
    do throws(ContainerError) {
      let names = try ContainerFolder(path: "\(root)/\(folder)").names(of: [])
      return names.sorted().map { "\(folder)/\($0)" }
    } catch {
      return [folder]
    }
  }
}

// MARK: - Database

extension DeviceDatabase {
  private static let appsName = "apps"

  /// Adds apps to the stored list of installed apps. If the list already contains an app, updates the app's team. On
  /// failure, the list does not change.
  ///
  /// - Throws: ``HostError`` if the database fails, or if the list contains an app with the same name and another
  ///   bundle id.
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
            "the device has an app `\(app.name)` with the bundle id `\(known[place].bundleID)`; "
              + "choose another name for the app `\(app.bundleID)`")
        }
        known[place] = app
      }
      try Self.setMeta(Self.appsName, Self.text(of: known), database)
    }
  }

  /// Returns the apps that ``remember(_:)`` stored, in the order of their first storage.
  func installedApps() throws(HostError) -> [InstalledApp] {
    try read(Self.installedApps)
  }

  /// Returns the names of the apps for which the database contains sign-ins or a configuration, in alphabetical order.
  func namesOfAppsInUse() throws(HostError) -> [String] {
    try read { database in
      try database.rows(
        "SELECT app FROM signIn UNION SELECT app FROM configuration ORDER BY app"
      ).map { $0["app"] }
    }
  }

  func accountsWithKeys() throws(HostError) -> [(account: Account, hasKey: Bool)] {
    let spellings = try read(Self.known)
    return try accounts().map { account in
      (account, spellings.contains { $0.wrappedKey != nil && $0.account.isSameUser(as: account) })
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
