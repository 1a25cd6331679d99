internal import Cryptography
internal import Glibc
internal import Model

/// The folder of a running device, and its database. The folder is locked, so no other process can use it.
struct DeviceStorage {
  let folders: Folders
  let database: DeviceDatabase
  let durability = Durability()
  let vacuum: Vacuum
  private let lock: DeviceLock

  /// Creates the folder if it is missing, locks it, and opens its database.
  ///
  /// - Throws: ``HostError`` if another process has locked the folder, the folder or the database is damaged, or
  ///   the database belongs to another device.
  init(_ configuration: DeviceConfiguration) throws(HostError) {
    try Folders.create(configuration.folder)
    folders = Folders(root: Folders.absolute(configuration.folder))
    lock = try DeviceLock(folder: configuration.folder)
    try folders.check()
    database = try DeviceDatabase(
      path: folders.database, isSynchronized: configuration.journal == .synchronized)
    try database.claim(for: configuration.name)
    vacuum = try Vacuum(database, durability: durability)
  }

  func close() {
    // All data is committed, so an error here loses nothing.
    try? database.close()
    lock.release()
  }
}

extension DeviceDatabase {
  /// Returns a key of the device, of `byteCount` random bytes. The first call with a name creates and stores the key.
  func key(_ name: String, _ byteCount: Int) throws(HostError) -> [UInt8] {
    try secret(name) { randomBytes(byteCount) }
  }
}

// MARK: - Folders

/// The paths of the files and folders in a device's folder.
struct Folders {
  let root: String

  var database: String { "\(root)/device.sqlite" }
  var journal: String { "\(root)/journal.jsonl" }
  /// The path of the organisation's authority certificate, for apps that connect to its servers.
  var organizationCertificate: String { "\(root)/organization.pem" }

  /// Returns the path of an app's or extension's container, relative to the device's folder.
  static func scope(ofContainer app: String) -> String { "Containers/\(app)" }
  /// Returns the path of an app group's container, relative to the device's folder.
  static func scope(ofGroup group: String) -> String { "Groups/\(group)" }

  func container(_ app: String) -> String { "\(root)/\(Self.scope(ofContainer: app))" }

  /// The folder for data that apps passed to the system, for example by printing or saving. It has a subfolder for each
  /// channel or storage location.
  var systemFolder: String { "\(root)/System" }

  /// Returns the folders with the account data that `app` has synced to the system's own apps. The paths are relative
  /// to the device's folder.
  static func scopes(syncedBy app: String) -> [String] {
    Channel.synced.map { scope(ofSynced: $0, by: app) }
  }

  static func scope(ofSynced channel: Channel, by app: String) -> String {
    "System/\(channel.rawValue)/\(app)"
  }

  func group(_ group: String) -> String { "\(root)/\(Self.scope(ofGroup: group))" }

  /// The folders that contain the data of apps and their users.
  var content: [String] { ["\(root)/Containers", "\(root)/Groups", systemFolder] }

  /// Checks that the device's own files and folders are regular files and folders. An entry may be missing, but must
  /// not be another kind of entry, such as a pipe or a link.
  ///
  /// - Throws: ``HostError`` that names the first such entry.
  func check() throws(HostError) {
    let files = [database, "\(database)-wal", "\(database)-shm", "\(database)-journal", journal]
    for file in files + [organizationCertificate] {
      try Self.check(file, is: S_IFREG, called: "file")
    }
    for folder in content { try Self.check(folder, is: S_IFDIR, called: "folder") }
  }

  private static func check(
    _ path: String, is kind: mode_t, called name: String
  ) throws(HostError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != kind else { return }
    throw HostError(.folder, "the device's folder is damaged: `\(path)` is not a \(name)")
  }

  /// Creates the container at `path` if it is missing.
  ///
  /// - Throws: ``HostError`` with the system's reason, or if `path` is another kind of entry, such as a link.
  func createContainer(_ path: String) throws(HostError) {
    try Self.check(path, is: S_IFDIR, called: "folder")
    try Self.create(path)
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Throws: ``HostError`` with the system's reason.
  static func create(_ path: String) throws(HostError) {
    if mkdir(path, 0o700) == 0 { return }
    if errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex {
      try create(String(path[..<end]))
      if mkdir(path, 0o700) == 0 { return }
    }
    var status = stat()
    guard errno == EEXIST, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw HostError(.folder, "cannot create the folder `\(path)`: \(lastError())")
    }
  }

  /// Returns `path` as an absolute path without links. If the path does not exist, returns it unchanged. The absolute
  /// path is needed because guests have another working directory.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

// MARK: - Lock

/// A lock on a device's folder. While it is held, no other process can start a device in the folder, or erase the
/// device.
///
/// It is an flock(2) lock on the folder itself, so it writes no file, and the kernel releases it when the process ends.
final class DeviceLock {
  private var descriptor: OwnedDescriptor?

  /// Locks the folder exclusively. If it is locked, tries again for half a second.
  ///
  /// - Parameter pause: Waits for a moment between two attempts.
  /// - Throws: ``HostError``. The code is `inUse` if another process has the folder locked during this time.
  init(folder: String, pause: () -> Void = { usleep(10_000) }) throws(HostError) {
    let descriptor = try Self.open(folder)
    var code = EWOULDBLOCK
    // An inspection locks the folder for a few milliseconds.
    for _ in 0..<Self.attempts {
      if flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 {
        self.descriptor = consume descriptor
        return
      }
      code = errno
      guard code == EWOULDBLOCK || code == EINTR else { break }
      pause()
    }
    throw code == EWOULDBLOCK || code == EINTR
      ? HostError(.inUse, "the device in `\(folder)` is in use")
      : HostError(.folder, "cannot lock the folder `\(folder)`: \(String(cString: strerror(code)))")
  }

  /// Locks the folder for inspection. Several inspections can lock it at the same time.
  ///
  /// - Returns: nil if the folder cannot be locked, usually because a device is running in it.
  /// - Throws: ``HostError`` if the folder cannot be opened.
  static func shared(folder: String) throws(HostError) -> DeviceLock? {
    let descriptor = try open(folder)
    return flock(descriptor.raw, LOCK_SH | LOCK_NB) == 0 ? DeviceLock(descriptor) : nil
  }

  private init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = consume descriptor
  }

  func release() { descriptor = nil }

  private static let attempts = 50

  private static func open(_ folder: String) throws(HostError) -> OwnedDescriptor {
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw HostError(.folder, "cannot open the folder `\(folder)`: \(lastError())")
    }
    return OwnedDescriptor(descriptor)
  }
}

/// A file descriptor that is closed exactly once.
private struct OwnedDescriptor: ~Copyable {
  let raw: Int32

  /// Takes ownership of the descriptor.
  ///
  /// - Parameter raw: An open descriptor that no other code closes.
  init(_ raw: Int32) { self.raw = raw }

  deinit {
    // A child process that is being spawned has a copy of the descriptor until `exec`. The copy
    // would keep an flock(2) lock.
    flock(raw, LOCK_UN)
    close(raw)
  }
}

// MARK: - Durability

/// Stops the device if a write to the journal or the database fails. Guests therefore never learn of a decision that
/// was not written, and the next run continues from the written data.
final class Durability {
  /// The reason why the device has stopped; nil if it is running.
  private(set) var error: HostError?
  /// Called once, for the first error.
  var onError: () -> Void = {}

  /// Stops the device, unless it has stopped already.
  func fail(_ error: HostError) {
    guard self.error == nil else { return }
    self.error = error
    onError()
  }

  /// Runs `body`, which writes to the journal or the database. If `body` throws, the device stops. Once the device has
  /// stopped, this function does nothing.
  func persist(_ body: () throws(HostError) -> Void) {
    guard self.error == nil else { return }
    do throws(HostError) {
      try body()
    } catch {
      fail(error)
    }
  }
}
