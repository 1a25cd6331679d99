internal import Glibc

extension ContainerFolder {
  /// The kind of a directory entry, links not followed.
  enum Kind: Sendable, Equatable {
    case file
    case folder
    case link
    /// A pipe, a socket or a device.
    case other
    case missing

    init(mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      default: self = .other  // open: any other type of file
      }
    }

    /// The kind by the entry's type in its directory; nil where the file system does not tell.
    fileprivate init?(entryType: UInt8) {
      switch Int(entryType) {
      case Int(DT_REG): self = .file
      case Int(DT_DIR): self = .folder
      case Int(DT_LNK): self = .link
      case Int(DT_UNKNOWN): return nil
      default: self = .other  // open: any other type of file
      }
    }
  }

  /// The treatment of folders that their guest has closed to everybody.
  enum Closed: Sendable {
    /// The folders are opened again, see ``unlock(_:)``.
    case unlocked
    /// Nothing is changed.
    case reported
  }

  /// Depth of nested folders down to which ``walk(closed:until:_:)`` goes.
  static let depthLimit = 256

  /// The kind of what `path` names.
  ///
  /// - Throws: ``ContainerError`` where the kind cannot be found out, also for a link among the folders above.
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

  /// The status of what `path` names; nil where it cannot be found out.
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

  /// Visits everything below the folder, each folder before its contents, in no order. A folder that is there when its
  /// own folder is listed is entered unless it has vanished since.
  ///
  /// - Parameter isEnough: asked before each folder; once it holds, no other is entered.
  /// - Returns: errors for the folders that could not be listed; those deeper than ``depthLimit`` are among them, with
  ///   `ENAMETOOLONG`.
  func walk(
    closed: Closed = .unlocked, until isEnough: () -> Bool = { false },
    _ visit: (_ path: [UInt8], _ kind: Kind) -> Void
  ) -> [ContainerError] {
    var errors: [ContainerError] = []
    var folders: [(path: [UInt8], depth: Int)] = [([], 0)]
    while !isEnough(), let folder = folders.popLast() {
      do throws(ContainerError) {
        for entry in try entries(of: folder.path, closed) where entry.kind != .missing {
          let path =
            folder.path.isEmpty ? entry.name : folder.path + [UInt8(ascii: "/")] + entry.name
          visit(path, entry.kind)
          guard entry.kind == .folder else { continue }
          if folder.depth < Self.depthLimit {
            folders.append((path, folder.depth + 1))
          } else {
            errors.append(error(ENAMETOOLONG, "look into", path))
          }
        }
      } catch {
        // A folder that is a link by now is one that has vanished.
        if !error.isMissing && error.code != ELOOP { errors.append(error) }
      }
    }
    return errors
  }

  /// Names of the entries of a folder, in no order; empty where there is no such folder.
  func names(of path: [UInt8]) throws(ContainerError) -> [String] {
    do throws(ContainerError) {
      return try entries(of: path, .reported).map { String(decoding: $0.name, as: UTF8.self) }
    } catch {
      if error.isMissing { return [] }
      throw error
    }
  }

  private func entries(
    of path: [UInt8], _ closed: Closed
  ) throws(ContainerError) -> [(name: [UInt8], kind: Kind)] {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let descriptor: Int32
    do throws(ContainerError) {
      descriptor = try resolve(path, flags, 0, "look into")
    } catch {
      guard error.code == EACCES, closed == .unlocked else { throw error }
      try unlock(path)
      descriptor = try resolve(path, flags, 0, "look into")
    }
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
}
