internal import FileProtection
internal import Foundation
internal import Glibc
internal import Model
internal import Policy
internal import Wire

extension DeviceInventory {
  /// Reads the inventory.
  ///
  /// - Parameters:
  ///   - folders: the device's folders.
  ///   - database: a copy of the device's database.
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
    pins = try database.accessStates().sorted { $0.key < $1.key }.map { team, state in
      PINState(
        team: team, isSet: state.current != nil, failedAttempts: state.failedAttempts,
        isResetRequired: state.isResetRequired)
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
  /// Counts the events of a journal. A last line that is half written does not count.
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
  /// Reads a folder; nil where there is none.
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
      guard let place = FilePlace(scope: scope, path: path),
        let found = FoundContent(path, in: container)
      else { continue }
      // An encrypted file states its owner itself.
      let owner = found.content == .encrypted ? found.owner : try database.owner(of: place)
      files.append(
        DeviceInventory.File(
          path: place.name, size: found.size, owner: owner, content: found.content))
    }
  }
}

/// The content of a file as far as it can be told without a key.
private struct FoundContent {
  var size = 0
  var owner: Account?
  var content = DeviceInventory.File.Content.unreadable

  /// Looks at a file; nil where the file has gone.
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

extension FilePlace {
  /// The path without the scope, as ``description`` prints it.
  fileprivate var name: String {
    String(decoding: description.utf8.dropFirst(scope.utf8.count + 1), as: UTF8.self)
  }
}

extension Folders {
  /// Paths of all folders of files, relative to the device's own.
  fileprivate var scopes: [String] { scopes(in: "Containers") + scopes(in: "Groups") + ["System"] }

  /// Paths of the folders in a folder; the path of `folder` itself where it cannot be listed.
  private func scopes(in folder: String) -> [String] {
    do throws(ContainerError) {
      let names = try ContainerFolder(path: "\(root)/\(folder)").names(of: [])
      return names.sorted().map { "\(folder)/\($0)" }
    } catch {
      return [folder]
    }
  }
}
