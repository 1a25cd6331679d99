internal import Cryptography
internal import Glibc

/// The folder of a device, locked against other processes, and its database.
struct DeviceStorage {
  let folders: Folders
  let database: DeviceDatabase
  let durability = Durability()
  let vacuum: Vacuum
  private let lock: DeviceLock

  /// Creates the folder where it is missing, and locks it.
  ///
  /// - Throws: ``HostError`` where another process has the folder, or the folder or the database is damaged.
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

  /// Closes the database and unlocks the folder.
  func close() {
    // The database's data has been committed: closing could lose nothing.
    try? database.close()
    lock.release()
  }
}

extension DeviceDatabase {
  /// One of the device's own keys, made on first use.
  func key(_ name: String, _ byteCount: Int) throws(HostError) -> [UInt8] {
    try secret(name) { randomBytes(byteCount) }
  }
}

// MARK: - Folders

/// The places below a device's folder where the device keeps its data.
struct Folders {
  let root: String

  var database: String { "\(root)/device.sqlite" }
  var journal: String { "\(root)/journal.jsonl" }
  /// The certificate of the organisation's authority, for apps that reach its servers.
  var organizationCertificate: String { "\(root)/organization.pem" }

  /// Path of an app's or extension's container, relative to the device's folder.
  static func scope(ofContainer app: String) -> String { "Containers/\(app)" }
  /// Path of an app group's container, relative to the device's folder.
  static func scope(ofGroup group: String) -> String { "Groups/\(group)" }

  /// Path of the container of an app or extension.
  func container(_ app: String) -> String { "\(root)/\(Self.scope(ofContainer: app))" }

  /// Folder of the data that apps hand to the system, with a folder for each printer and storage location.
  var outlet: String { "\(root)/System" }

  /// Path of the shared container of an app group.
  func group(_ group: String) -> String { "\(root)/\(Self.scope(ofGroup: group))" }

  /// Folders with the data of apps and their users.
  var content: [String] { ["\(root)/Containers", "\(root)/Groups", outlet] }

  /// Checks that the folder's entries are those that the device has made: no link that leads elsewhere, and no pipe
  /// that nobody writes to.
  ///
  /// - Throws: ``HostError`` that names the entry that is not.
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
    throw HostError(.folder, "the device's folder is damaged: `\(path)` is no \(name)")
  }

  /// Makes the container at `path`, unless it is there.
  ///
  /// - Throws: ``HostError`` with the system's reason, or where something else is in the container's place, such as a
  ///   link.
  func createContainer(_ path: String) throws(HostError) {
    try Self.check(path, is: S_IFDIR, called: "folder")
    try Self.create(path)
  }

  /// Makes a folder and those above it, unless they are there.
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

  /// `path` from the root of the file system, links resolved: guests run elsewhere.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

// MARK: - Lock

/// A lock on a device's folder: nobody else brings a device up there, or erases it, meanwhile.
///
/// The lock is one of flock(2) on the folder itself: nothing is written for it, and the kernel releases it when the
/// process ends, however that ends.
final class DeviceLock {
  private var descriptor: OwnedDescriptor?

  /// Locks the folder.
  ///
  /// - Parameter pause: waits a little between two attempts.
  /// - Throws: ``HostError``, with the code `inUse` where another device has the folder.
  init(folder: String, pause: () -> Void = { usleep(10_000) }) throws(HostError) {
    let descriptor = try Self.open(folder)
    var code = EWOULDBLOCK
    // An inspection holds the folder for a few milliseconds.
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

  /// Keeps others from locking the folder while it is looked at.
  ///
  /// - Returns: nil where a device has the folder.
  /// - Throws: ``HostError`` where the folder cannot be opened.
  static func shared(folder: String) throws(HostError) -> DeviceLock? {
    let descriptor = try open(folder)
    return flock(descriptor.raw, LOCK_SH | LOCK_NB) == 0 ? DeviceLock(descriptor) : nil
  }

  private init(_ descriptor: consuming OwnedDescriptor) {
    self.descriptor = consume descriptor
  }

  /// Unlocks the folder.
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

/// A descriptor with one owner, closed once: with its owner.
private struct OwnedDescriptor: ~Copyable {
  let raw: Int32

  /// Takes a descriptor over.
  ///
  /// - Parameter raw: an open descriptor that nobody else closes.
  init(_ raw: Int32) { self.raw = raw }

  deinit {
    // A child that is just being started has a copy until its program runs, which would keep a lock of flock(2).
    flock(raw, LOCK_UN)
    close(raw)
  }
}

// MARK: - Durability

/// The durability of a device's data: what must be kept is kept, or the device stops. No guest is told what is not on
/// the disk, so that nobody believes it, and the next run goes on from what is there.
final class Durability {
  /// The reason why the device has stopped; nil where it has not.
  private(set) var fault: HostError?
  /// Called once, for the first fault.
  var onFault: () -> Void = {}

  /// Stops the device for this reason, unless it has stopped already.
  func fail(_ error: HostError) {
    guard fault == nil else { return }
    fault = error
    onFault()
  }

  /// Runs `body`, which writes what must be kept; an error stops the device. After that nothing is written any more.
  func persist(_ body: () throws(HostError) -> Void) {
    guard fault == nil else { return }
    do throws(HostError) {
      try body()
    } catch {
      fail(error)
    }
  }
}
