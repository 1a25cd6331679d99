internal import CConfinement
internal import Glibc

/// A container or group folder in which the host works while its guest may change everything below it.
///
/// Paths are raw bytes relative to the folder. Whatever the guest renames or links meanwhile, nothing outside is
/// opened, changed or removed, and no symbolic link is followed.
final class ContainerFolder: Sendable {
  /// A way to resolve paths.
  enum Resolution {
    /// By openat2(2), in one call.
    case kernel
    /// Folder by folder, for kernels before Linux 5.6 and paths that are longer than the kernel takes.
    case stepwise

    /// The best way that this kernel has.
    static let best: Resolution = {
      let found = sluice_open_beneath(
        AT_FDCWD, ".", ContainerFolder.handle | O_DIRECTORY | O_CLOEXEC, 0)
      guard found >= 0 else { return .stepwise }
      Glibc.close(found)
      return .kernel
    }()
  }

  /// `O_PATH`: names a file or folder without opening it, which takes no permission and never waits.
  static let handle = Int32(SLUICE_O_PATH)

  /// Path of the folder, as it was given.
  let path: String
  let descriptor: Int32
  private let resolution: Resolution

  /// Opens the folder. Links above it are followed; the folder itself must not be a link.
  ///
  /// - Throws: ``ContainerError`` where the folder cannot be opened.
  init(path: String, resolution: Resolution = .best) throws(ContainerError) {
    self.path = path
    self.resolution = resolution
    descriptor = Glibc.open(path, Self.handle | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ContainerError(code: errno, action: "open", path: [], container: path)
    }
  }

  deinit { Glibc.close(descriptor) }

  /// The status of the folder itself.
  var status: stat {
    var status = stat()
    fstat(descriptor, &status)
    return status
  }

  /// Opens a regular file, without ever blocking.
  ///
  /// The caller owns the descriptor, which is closed on exec and has `O_NONBLOCK`, without effect on files.
  ///
  /// - Parameter flags: as of open(2), such as `O_RDWR | O_CREAT`.
  /// - Throws: ``ContainerError`` with `EISDIR` for a folder, `ELOOP` for a link, and another code for a pipe,
  ///   a socket or a device.
  func open(_ path: [UInt8], _ flags: Int32, mode: mode_t = 0o600) throws(ContainerError) -> Int32 {
    // A pipe without a peer would block, and a terminal could become the host's.
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

  /// Makes the folders above a file that are missing.
  ///
  /// - Throws: ``ContainerError``, also where one of them is a file or a link.
  func makeFolders(for path: [UInt8]) throws(ContainerError) {
    let names = try checked(path, "make the folders of").components.dropLast()
    var folder = Descriptor(borrowed: descriptor)
    for name in names {
      let made = folder.use { folder in name.withCPath { mkdirat(folder, $0, 0o700) } }
      if made < 0, errno != EEXIST { throw error(errno, "make the folders of", path) }
      let next = folder.use { Self.step(to: name, of: $0, Self.folderFlags) }
      guard next >= 0 else { throw error(errno, "make the folders of", path) }
      folder = Descriptor(owned: next)
    }
  }

  /// Renames a file or folder, in place of what the new path names.
  ///
  /// - Parameter target: the folder that the new path is relative to; nil: this folder.
  /// - Throws: ``ContainerError`` where the file cannot be renamed.
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

  /// Removes the name of a file, of a link, or of anything else that is not a folder.
  ///
  /// - Throws: ``ContainerError``, with ``ContainerError/isMissing`` where there is no such name.
  func unlink(_ path: [UInt8]) throws(ContainerError) {
    let place = try place(path, "delete")
    let result = place.folder.use { folder in
      place.name.withCPath { unlinkat(folder, $0, 0) }
    }
    if result < 0 { throw error(errno, "delete", path) }
  }

  /// Gives the host access to what a guest has closed: the container, each folder on the way and the entry itself
  /// become readable and writable again. A link stays as it is.
  ///
  /// - Throws: ``ContainerError`` where that is not possible, as for a link among the folders above.
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

  /// Gives the host access to what `O_PATH` has opened; false and `errno` where that fails.
  private static func unlock(open entry: Int32) -> Bool {
    var status = stat()
    guard fstat(entry, &status) == 0 else { return false }
    let needed: mode_t = Kind(mode: status.st_mode) == .folder ? 0o700 : 0o600
    // The one way to change the mode of what O_PATH has opened, see open(2).
    return status.st_mode & needed == needed
      || chmod("/proc/self/fd/\(entry)", status.st_mode & 0o7777 | needed) == 0
  }
}

// MARK: resolving

extension ContainerFolder {
  /// Opens what `path` names, folders included.
  func resolve(
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

  /// Flags that open any entry, a link included.
  static let entryFlags = handle | O_NOFOLLOW | O_CLOEXEC
  private static let folderFlags = handle | O_DIRECTORY | O_CLOEXEC

  /// Opens the entry of that name; -1 and `errno` where that fails, `ELOOP` for a link as in openat2(2).
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

  /// The folder that contains what `path` names, and its name there.
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
}

/// A descriptor that is closed with its last reference where it is owned.
private final class Descriptor {
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

  /// Calls `body` with the descriptor, which is open at least that long.
  func use<Result>(_ body: (Int32) -> Result) -> Result {
    withExtendedLifetime(self) { body(raw) }
  }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes and a zero byte after them, as the system takes paths.
  func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
      var end = 0
      for byte in self {
        buffer.initializeElement(at: end, to: CChar(bitPattern: byte))
        end += 1
      }
      buffer.initializeElement(at: end, to: 0)
      guard let base = buffer.baseAddress else { preconditionFailure("a path has no address") }
      return body(base)
    }
  }
}
