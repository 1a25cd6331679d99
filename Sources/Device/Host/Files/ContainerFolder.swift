internal import CConfinement
internal import FileProtection
internal import Glibc
internal import Model

/// A container or group folder that the host accesses while its guest may change the contents.
///
/// Paths are raw bytes relative to the folder. The host does not follow symbolic links. Even if the guest renames or
/// links entries during an access, the host never opens, changes or removes anything outside the folder.
final class ContainerFolder: Sendable {
  enum Resolution {
    /// Resolves the path in a single call of openat2(2).
    case kernel
    /// Calls openat(2) once for each component of the path. This also works on kernels before Linux 5.6 and for paths
    /// longer than `PATH_MAX`.
    case stepwise

    /// The best method that this kernel supports.
    static let best: Resolution = {
      let found = sluice_open_beneath(
        AT_FDCWD, ".", ContainerFolder.handle | O_DIRECTORY | O_CLOEXEC, 0)
      guard found >= 0 else { return .stepwise }
      Glibc.close(found)
      return .kernel
    }()
  }

  /// The flag `O_PATH`. open(2) with this flag returns a reference to a file or folder. It needs no permission to read
  /// the file, and never blocks.
  private static let handle = Int32(SLUICE_O_PATH)

  /// The folder's path, as given to the initializer.
  let path: String
  private let descriptor: Int32
  private let resolution: Resolution

  /// Opens the folder. Links in its path are followed, but the folder itself must not be a link.
  ///
  /// - Throws: ``ContainerError`` if the folder cannot be opened.
  init(path: String, resolution: Resolution = .best) throws(ContainerError) {
    self.path = path
    self.resolution = resolution
    descriptor = Glibc.open(path, Self.handle | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ContainerError(code: errno, action: "open", path: [], container: path)
    }
  }

  deinit { Glibc.close(descriptor) }

  var status: stat {
    var status = stat()
    fstat(descriptor, &status)
    return status
  }

  /// Opens a regular file without blocking.
  ///
  /// The caller closes the descriptor. It has `O_CLOEXEC` and `O_NONBLOCK`; `O_NONBLOCK` does not affect regular files.
  ///
  /// - Parameter flags: Flags of open(2), such as `O_RDWR | O_CREAT`.
  /// - Throws: ``ContainerError`` with `EISDIR` for a folder, `ELOOP` for a link, and another code for a
  ///   pipe, a socket or a device.
  func open(_ path: [UInt8], _ flags: Int32, mode: mode_t = 0o600) throws(ContainerError) -> Int32 {
    // Without these flags, opening a pipe without a peer would block, and a terminal could become
    // the host's controlling terminal.
    let safe = flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let action = flags & O_CREAT == 0 ? "open" : "create"
    let file = try resolve(path, safe, mode, action)
    switch Self.kind(ofOpen: file) {
    case .file: return file
    case let kind:
      Glibc.close(file)
      throw error(kind == .folder ? EISDIR : ContainerError.notRegular, action, path)
    }
  }

  /// Creates the missing folders above a file.
  ///
  /// - Throws: ``ContainerError``, for example if a component is a file or a link. If the folders are nested
  ///   deeper than ``depthLimit``, none is made.
  func makeFolders(for path: [UInt8]) throws(ContainerError) {
    let names = try checked(path, "make the folders of").components.dropLast()
    guard names.count <= Self.depthLimit else {
      throw error(ContainerError.tooDeep, "make the folders of", path)
    }
    var folder = Descriptor(borrowed: descriptor)
    for name in names {
      let made = folder.use { folder in name.withCPath { mkdirat(folder, $0, 0o700) } }
      if made < 0, errno != EEXIST { throw error(errno, "make the folders of", path) }
      let next = folder.use { Self.step(to: name, of: $0, Self.folderFlags) }
      guard next >= 0 else { throw error(errno, "make the folders of", path) }
      folder = Descriptor(owned: next)
    }
  }

  /// Renames a file or folder, replacing any file at the new path.
  ///
  /// - Parameter target: The folder that the new path is relative to; nil for this folder.
  /// - Throws: ``ContainerError`` if the file cannot be renamed.
  func rename(
    from source: [UInt8], to destination: [UInt8], in target: ContainerFolder? = nil
  ) throws(ContainerError) {
    let from = try place(source, "rename")
    let to = try (target ?? self).place(destination, "rename to")
    let result = from.folder.use { oldFolder in
      to.folder.use { newFolder in
        from.name.withCPath { old in
          to.name.withCPath { new in renameat(oldFolder, old, newFolder, new) }
        }
      }
    }
    if result < 0 { throw error(errno, "rename", source) }
  }

  /// Unlinks a file, a link, or any other entry that is not a folder.
  ///
  /// - Throws: ``ContainerError``. If there is no such entry, the error's ``ContainerError/isMissing`` is true.
  func unlink(_ path: [UInt8]) throws(ContainerError) {
    let place = try place(path, "delete")
    let result = place.folder.use { folder in
      place.name.withCPath { unlinkat(folder, $0, 0) }
    }
    if result < 0 { throw error(errno, "delete", path) }
  }

  /// Restores the host's access to an entry that a guest has made inaccessible. Makes the container, each folder in the
  /// path and the entry itself readable and writable. Does not change the entry if it is a link.
  ///
  /// - Throws: ``ContainerError`` if access cannot be restored, for example because of a link in the path.
  func unlock(_ path: [UInt8]) throws(ContainerError) {
    let names = try checked(path, "unlock").components
    var entry = Descriptor(borrowed: descriptor)
    var isOpen = entry.use(Self.unlock(open:))
    for (index, name) in names.enumerated() where isOpen {
      let flags = index + 1 < names.count ? Self.folderFlags : Self.entryFlags
      let next = entry.use { Self.step(to: name, of: $0, flags) }
      guard next >= 0 else { throw error(errno, "unlock", path) }
      entry = Descriptor(owned: next)
      isOpen = entry.use(Self.unlock(open:))
    }
    if !isOpen { throw error(errno, "unlock", path) }
  }

  /// Restores access to an entry opened with `O_PATH`; returns false and sets `errno` on failure.
  private static func unlock(open entry: Int32) -> Bool {
    var status = stat()
    guard fstat(entry, &status) == 0 else { return false }
    let needed: mode_t = Kind(mode: status.st_mode) == .folder ? 0o700 : 0o600
    // The mode of an `O_PATH` descriptor can only be changed through `/proc` (open(2)).
    return status.st_mode & needed == needed
      || chmod("/proc/self/fd/\(entry)", status.st_mode & 0o7777 | needed) == 0
  }

  // MARK: Path resolution

  /// Opens the entry at `path`, which may also be a folder. Returns its descriptor.
  private func resolve(
    _ path: [UInt8], _ flags: Int32, _ mode: mode_t, _ action: String
  ) throws(ContainerError) -> Int32 {
    let checked = try checked(path, action)
    let found: Int32
    if resolution == .kernel, checked.bytes.count < PATH_MAX {
      let bytes = checked.bytes.isEmpty ? [UInt8(ascii: ".")] : checked.bytes
      found = bytes.withCPath { sluice_open_beneath(descriptor, $0, flags, mode) }
      if found < 0 { throw error(-found, action, path) }
    } else {
      found = openStepwise(checked, flags, mode)
      if found < 0 { throw error(errno, action, path) }
    }
    return found
  }

  private func openStepwise(_ path: ContainerPath, _ flags: Int32, _ mode: mode_t) -> Int32 {
    var folder = Descriptor(borrowed: descriptor)
    for name in path.components.dropLast() {
      let next = folder.use { Self.step(to: name, of: $0, Self.folderFlags) }
      guard next >= 0 else { return next }
      folder = Descriptor(owned: next)
    }
    let last = path.components.last ?? [UInt8(ascii: ".")]
    return folder.use { Self.step(to: last, of: $0, flags, mode) }
  }

  /// Flags that open an entry of any kind, including a link.
  private static let entryFlags = handle | O_NOFOLLOW | O_CLOEXEC
  private static let folderFlags = handle | O_DIRECTORY | O_CLOEXEC

  /// Opens the entry `name` of a folder. On failure, returns -1 and sets `errno`. If a link is the reason, `errno` is
  /// `ELOOP`, as with openat2(2).
  private static func step(
    to name: ArraySlice<UInt8>, of folder: Int32, _ flags: Int32, _ mode: mode_t = 0
  ) -> Int32 {
    name.withCPath { name in
      let next = openat(folder, name, flags | O_NOFOLLOW, mode)
      guard next < 0, errno == ENOTDIR else { return next }
      var status = stat()
      let isFound = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      errno = isFound && Kind(mode: status.st_mode) == .link ? ELOOP : ENOTDIR
      return -1
    }
  }

  fileprivate func place(
    _ path: [UInt8], _ action: String
  ) throws(ContainerError) -> (folder: Descriptor, name: [UInt8]) {
    guard let parts = try checked(path, action).split else {
      throw error(EBUSY, action, path)
    }
    if parts.folder.isEmpty { return (Descriptor(borrowed: descriptor), parts.name) }
    let folder = try resolve(parts.folder, Self.folderFlags, 0, action)
    return (Descriptor(owned: folder), parts.name)
  }

  private func checked(
    _ path: [UInt8], _ action: String
  ) throws(ContainerError) -> ContainerPath {
    guard let path = ContainerPath(path) else { throw error(EXDEV, action, path) }
    return path
  }

  func error(_ code: Int32, _ action: String, _ path: [UInt8]) -> ContainerError {
    ContainerError(code: code, action: action, path: path, container: self.path)
  }

  // MARK: Contents

  /// Returns a file's first page, which contains the header of an encrypted file. A shorter file is
  /// returned whole.
  ///
  /// - Returns: nil if there is no such file.
  /// - Throws: ``ContainerError``, for example for a folder.
  func firstPage(of path: [UInt8]) throws(ContainerError) -> [UInt8]? {
    let file: Int32
    do throws(ContainerError) {
      file = try open(path, O_RDONLY)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    defer { close(file) }
    var page = [UInt8](repeating: 0, count: ProtectionHeader.pageSize)
    let count = pread(file, &page, page.count, 0)
    guard count >= 0 else { throw error(errno, "read", path) }
    page.removeLast(page.count - count)
    return page
  }

  /// Creates or truncates a file, and writes its first page.
  ///
  /// - Throws: ``ContainerError``; the file is then empty or unchanged.
  func begin(_ path: [UInt8], with page: [UInt8]) throws(ContainerError) {
    try makeFolders(for: path)
    let file = try open(path, O_RDWR | O_CREAT | O_TRUNC)
    defer { close(file) }
    guard !page.isEmpty else { return }
    let count = pwrite(file, page, page.count, 0)
    guard count == page.count else {
      let code = count < 0 ? errno : ENOSPC
      ftruncate(file, 0)
      throw error(code, "write", path)
    }
  }

  /// Reads an open file completely and closes it. Returns nil if it cannot be read.
  static func contents(of file: Int32) -> [UInt8]? {
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  // MARK: Owners in file headers

  /// The number of bytes to read from the start of a file to get its header.
  private static let headerSize = ProtectionHeader.pageSize
  private static let magicSize = 8

  /// Opens a regular file. If a guest has removed the host's permission to open it, access is restored first.
  ///
  /// - Throws: ``ContainerError`` as ``open(_:_:mode:)`` does.
  func openUnlocking(_ path: [UInt8], _ flags: Int32) throws(ContainerError) -> Int32 {
    do throws(ContainerError) {
      return try open(path, flags)
    } catch {
      guard error.code == EACCES else { throw error }
      try unlock(path)
      return try open(path, flags)
    }
  }

  /// Returns the owner that a file's header names; nil if the file has no header. Encrypted files have a header, and so
  /// does data that an app protected itself.
  ///
  /// - Throws: ``ContainerError``; its code is `EBADMSG` if the header of a protected file is not valid.
  func statedOwner(of entry: Entry) throws(ContainerError) -> Account? {
    let file = try openUnlocking(entry, O_RDONLY)
    return try statedOwner(at: entry.path, beginning(of: entry.path, file))
  }

  private func statedOwner(
    at path: [UInt8], _ bytes: [UInt8]
  ) throws(ContainerError) -> Account? {
    switch try? ProtectedData.kind(of: bytes) {
    case .encrypted(let header, _): return header.owner
    case .marked(let owner, _): return owner
    case .plain, nil: return try header(in: bytes, path)?.owner
    }
  }

  private func header(
    in bytes: [UInt8], _ path: [UInt8]
  ) throws(ContainerError) -> ProtectionHeader? {
    do throws(FileProtectionError) {
      return try ProtectionHeader(bytes)
    } catch {
      // A file shorter than the eight magic bytes cannot be recognised as protected.
      if error.code == .notProtected || bytes.count < Self.magicSize { return nil }
      throw self.error(EBADMSG, "read the owner of", path)
    }
  }

  /// Opens an entry that is a regular file. If a guest has removed the host's permission to open it, access is restored
  /// first.
  private func openUnlocking(_ entry: Entry, _ flags: Int32) throws(ContainerError) -> Int32 {
    let flags = flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let file = Self.opened(entry.name, in: entry.folder, flags, .unlocked)
    guard file >= 0 else { throw error(errno, "open", entry.path) }
    switch Self.kind(ofOpen: file) {
    case .file: return file
    case let kind:
      Glibc.close(file)
      throw error(kind == .folder ? EISDIR : ContainerError.notRegular, "open", entry.path)
    }
  }

  /// Reads the beginning of an open file, and closes it.
  private func beginning(of path: [UInt8], _ file: Int32) throws(ContainerError) -> [UInt8] {
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.headerSize)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    guard count >= 0 else { throw error(errno, "read", path) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

// MARK: - Entries

extension ContainerFolder {
  /// The kind of a directory entry; links are not followed.
  enum Kind: Sendable, Equatable {
    case file
    case folder
    case link
    /// A special file: a pipe, a socket or a device.
    case other
    case missing

    init(mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      default: self = .other  // open: any other file type
      }
    }

    /// Creates the kind from a directory entry's type; nil if the file system does not report types.
    fileprivate init?(entryType: UInt8) {
      switch Int(entryType) {
      case Int(DT_REG): self = .file
      case Int(DT_DIR): self = .folder
      case Int(DT_LNK): self = .link
      case Int(DT_UNKNOWN): return nil
      default: self = .other  // open: any other file type
      }
    }
  }

  /// Whether a walk restores the host's access to a folder that a guest has made inaccessible.
  enum Closed: Sendable {
    /// The walk restores access, as ``unlock(_:)`` does.
    case unlocked
    /// The walk leaves the folder unchanged and reports an error.
    case reported
  }

  /// The maximum nesting depth of folders that ``walk(closed:until:_:)`` enters.
  static let depthLimit = 256

  /// Returns the kind of the entry at `path`; `missing` if there is none.
  ///
  /// - Throws: ``ContainerError`` if the kind cannot be determined, for example because of a link in the path.
  func kind(of path: [UInt8]) throws(ContainerError) -> Kind {
    do throws(ContainerError) {
      let entry = try resolve(path, Self.entryFlags, 0, "look at")
      defer { close(entry) }
      return Self.kind(ofOpen: entry)
    } catch {
      if error.isMissing { return .missing }
      throw error
    }
  }

  func status(of path: [UInt8]) -> stat? {
    guard let entry = try? resolve(path, Self.entryFlags, 0, "look at") else { return nil }
    defer { close(entry) }
    var status = stat()
    return fstat(entry, &status) == 0 ? status : nil
  }

  static func kind(ofOpen descriptor: Int32) -> Kind {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Kind(mode: status.st_mode) : .missing
  }

  /// An entry that a walk visits.
  struct Entry {
    /// The path of the entry's folder, relative to the container; empty for the container itself.
    private let parent: [UInt8]
    fileprivate let folder: Descriptor
    let name: [UInt8]
    let kind: Kind

    fileprivate init(parent: [UInt8], folder: Descriptor, name: [UInt8], kind: Kind) {
      self.parent = parent
      self.folder = folder
      self.name = name
      self.kind = kind
    }

    /// The path in raw bytes, relative to the container.
    var path: [UInt8] { parent.isEmpty ? name : parent + [UInt8(ascii: "/")] + name }

    /// The entry's current status; nil if it cannot be determined. The entry is looked up through the descriptor of its
    /// folder, so a rename of the folder has no effect.
    var status: stat? {
      var status = stat()
      let result = folder.use { folder in
        name.withCPath { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
      }
      return result == 0 ? status : nil
    }
  }

  /// Visits all entries below the folder, as ``walkEntries(closed:until:_:)`` does.
  func walk(
    closed: Closed = .unlocked, until isEnough: () -> Bool = { false },
    _ visit: (_ path: [UInt8], _ kind: Kind) -> Void
  ) -> [ContainerError] {
    walkEntries(closed: closed, until: isEnough) { visit($0.path, $0.kind) }
  }

  /// A folder that a walk is visiting, with the names of the subfolders that the walk has not entered yet.
  private struct Level {
    var folder: Descriptor
    var path: [UInt8]
    var depth: Int
    var unvisited: [[UInt8]]
  }

  /// Visits all entries below the folder. Each folder is visited before its contents; otherwise, the order is
  /// unspecified. A folder that vanishes after it was listed is skipped.
  ///
  /// Each folder is opened by its name in its parent folder, so the cost does not depend on the length of paths. The
  /// walk keeps at most three descriptors open, and one more for each level with subfolders to visit. If a guest moves
  /// a folder elsewhere during the walk, the walk may still visit it.
  ///
  /// - Parameter isEnough: Evaluated before each folder; the walk ends if it returns true.
  /// - Returns: An error for each folder that could not be listed. For folders nested deeper than ``depthLimit``, the
  ///   code is `ENAMETOOLONG`.
  func walkEntries(
    closed: Closed = .unlocked, until isEnough: () -> Bool = { false }, _ visit: (Entry) -> Void
  ) -> [ContainerError] {
    var errors: [ContainerError] = []
    var levels = [
      Level(
        folder: Descriptor(borrowed: descriptor), path: [], depth: -1, unvisited: [Array(".".utf8)])
    ]
    while !isEnough(), var level = levels.popLast() {
      guard let name = level.unvisited.popLast() else { continue }
      let (folder, depth) = (level.folder, level.depth + 1)
      let path =
        depth == 0 ? [] : level.path.isEmpty ? name : level.path + [UInt8(ascii: "/")] + name
      if !level.unvisited.isEmpty { levels.append(level) }
      do throws(ContainerError) {
        let opened = try open(folderNamed: name, in: folder, path, closed)
        var inner = Level(folder: opened, path: path, depth: depth, unvisited: [])
        for entry in try entries(of: opened, path) where entry.kind != .missing {
          visit(Entry(parent: path, folder: opened, name: entry.name, kind: entry.kind))
          guard entry.kind == .folder else { continue }
          if depth < Self.depthLimit {
            inner.unvisited.append(entry.name)
          } else {
            let path = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
            errors.append(error(ENAMETOOLONG, "look into", path))
          }
        }
        levels.append(inner)
      } catch {
        // A folder that has become a link counts as vanished.
        if !error.isMissing && error.code != ELOOP { errors.append(error) }
      }
    }
    return errors
  }

  private func open(
    folderNamed name: [UInt8], in folder: Descriptor, _ path: [UInt8], _ closed: Closed
  ) throws(ContainerError) -> Descriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let opened = Self.opened(name, in: folder, flags, closed)
    guard opened >= 0 else { throw error(errno, "look into", path) }
    // A folder that can be listed but not searched hides its entries.
    var status = stat()
    if closed == .unlocked, fstat(opened, &status) == 0, status.st_mode & 0o100 == 0,
      !Self.unlock(open: opened)
    {
      let code = errno
      Glibc.close(opened)
      throw error(code, "look into", path)
    }
    return Descriptor(owned: opened)
  }

  /// Opens the entry `name` of a folder. If a guest has made the folder or the entry inaccessible, `closed` determines
  /// whether the host's access is restored first. On failure, returns -1 and sets `errno`, as `step` does.
  private static func opened(
    _ name: [UInt8], in folder: Descriptor, _ flags: Int32, _ closed: Closed
  ) -> Int32 {
    folder.use { folder in
      let opened = step(to: name[...], of: folder, flags)
      guard opened < 0, errno == EACCES, closed == .unlocked else { return opened }
      guard unlock(open: folder) else { return -1 }
      let entry = step(to: name[...], of: folder, entryFlags)
      guard entry >= 0 else { return -1 }
      let isUnlocked = unlock(open: entry)
      let code = errno
      Glibc.close(entry)
      errno = code
      return isUnlocked ? step(to: name[...], of: folder, flags) : -1
    }
  }

  /// Returns the names of a folder's entries, in no particular order; empty if the folder does not exist.
  func names(of path: [UInt8]) throws(ContainerError) -> [String] {
    do throws(ContainerError) {
      let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let folder = Descriptor(owned: try resolve(path, flags, 0, "look into"))
      return try entries(of: folder, path).map { String(decoding: $0.name, as: UTF8.self) }
    } catch {
      if error.isMissing { return [] }
      throw error
    }
  }

  private func entries(
    of folder: Descriptor, _ path: [UInt8]
  ) throws(ContainerError) -> [(name: [UInt8], kind: Kind)] {
    // `closedir` closes the stream's descriptor, so the stream needs its own.
    let descriptor = folder.use { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw error(errno, "look into", path) }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw error(errno, "look into", path)
    }
    defer { closedir(stream) }
    var entries: [(name: [UInt8], kind: Kind)] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = Self.name(of: entry)
      if name != Array(".".utf8), name != Array("..".utf8) {
        let kind = Kind(entryType: entry.pointee.d_type) ?? Self.kind(of: name, in: descriptor)
        entries.append((name, kind))
      }
      errno = 0
    }
    if errno != 0 { throw error(errno, "look into", path) }
    return entries
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
  }

  private static func kind(of name: [UInt8], in folder: Int32) -> Kind {
    var status = stat()
    let result = name.withCPath { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? Kind(mode: status.st_mode) : .missing
  }

  // MARK: Disk usage

  /// Returns the disk usage of the folder's contents. A file with several names counts once. If a guest has made a
  /// folder inaccessible, access is restored first, so its contents count too.
  ///
  /// - Parameter limit: The number of entries after which counting stops.
  func usage(countingUpTo limit: Int) -> DiskUsage {
    var usage = DiskUsage()
    var linked: Set<FileNumber> = []
    let errors = walkEntries(until: { usage.files >= limit }) { entry in
      guard usage.files < limit, let status = entry.status else { return }
      let isFolder = Kind(mode: status.st_mode) == .folder
      if !isFolder, status.st_nlink > 1, !linked.insert(FileNumber(status)).inserted { return }
      usage.files += 1
      usage.bytes += status.allocatedBytes
    }
    usage.unseen = errors.count { $0.code == ENAMETOOLONG }
    return usage
  }
}

/// The identity of a file, independent of its names.
struct FileNumber: Hashable {
  private let device: UInt64
  private let number: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

extension stat {
  /// The allocated size in bytes. A block in `stat` is 512 bytes, whatever the file system's block size (stat(3type)).
  var allocatedBytes: Int { Int(st_blocks) * 512 }
}

struct DiskUsage: Sendable, Equatable {
  /// The allocated size in bytes, which may be less or more than the files' total size.
  var bytes = 0
  /// The number of entries, including folders, links and pipes.
  var files = 0
  /// The number of folders whose contents are not counted, because they are nested too deeply.
  var unseen = 0

  static func + (one: DiskUsage, other: DiskUsage) -> DiskUsage {
    DiskUsage(
      bytes: one.bytes + other.bytes, files: one.files + other.files,
      unseen: one.unseen + other.unseen)
  }
}

// MARK: - Errors

struct ContainerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system's error number. If a file was expected, `EISDIR` stands for a folder, and ``notRegular`` for another
  /// kind of entry, such as a pipe. `EXDEV` means that the path leads out of the container, as with openat2(2).
  var code: Int32
  /// The action that failed, worded to follow "cannot" in a message.
  var action: String
  /// The file's path in raw bytes, relative to the container; empty for the container itself.
  var path: [UInt8]
  var container: String

  /// The code for an entry that is not a file, a folder or a link, such as a pipe. It is not a system error number.
  static let notRegular: Int32 = -1
  /// The code for folders nested deeper than ``ContainerFolder/depthLimit``. It is not a system error number.
  static let tooDeep: Int32 = -2

  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a folder was found where a file was expected.
  var isFolder: Bool { code == EISDIR }

  /// The error as a clause, in lower case without a full stop.
  var description: String {
    let place = path.isEmpty ? container : "\(container)/\(PathText.shown(path))"
    return "cannot \(action) `\(place)`: \(reason)"
  }

  /// The reason without the path.
  var reason: String {
    switch code {
    case Self.notRegular: "it is not a regular file"
    case Self.tooDeep:
      "its folders are nested more than \(ContainerFolder.depthLimit) deep"
    case EXDEV: "the path leads out of the container"
    case ELOOP: "the path contains a symbolic link"
    default: String(cString: strerror(code))  // open: the system's error numbers
    }
  }
}

// MARK: - System calls

/// A file descriptor. An owned descriptor is closed with its last reference.
final class Descriptor {
  private let raw: Int32
  private let isOwned: Bool

  init(owned raw: Int32) {
    self.raw = raw
    isOwned = true
  }

  init(borrowed raw: Int32) {
    self.raw = raw
    isOwned = false
  }

  deinit { if isOwned { close(raw) } }

  /// Calls `body` with the descriptor, which stays open during the call.
  func use<Result>(_ body: (Int32) -> Result) -> Result {
    withExtendedLifetime(self) { body(raw) }
  }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes and a terminating zero byte, as system calls require for paths.
  func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
      var end = 0
      for byte in self {
        buffer.initializeElement(at: end, to: CChar(bitPattern: byte))
        end += 1
      }
      buffer.initializeElement(at: end, to: 0)
      guard let base = buffer.baseAddress else {
        preconditionFailure("the buffer of a path must have an address")
      }
      return body(base)
    }
  }
}
