internal import Glibc

/// The removal of a folder with all that guests have left in it, however deep, and whatever they have closed.
///
/// Nested folders are moved up before they are emptied, so that no path grows long, and no descriptor waits for
/// another.
package struct FolderRemoval {
  private let path: String

  /// Creates the removal of the folder at `path`.
  package init(_ path: String) { self.path = path }

  /// Removes the folder; does nothing where there is none.
  ///
  /// - Throws: ``HostError`` where something cannot be removed; what could be removed is gone then.
  package func run() throws(HostError) {
    chmod(path, 0o700)
    let root = open(path, Self.flags)
    guard root >= 0 else {
      if errno == ENOENT { return }
      throw failure("look into", "")
    }
    defer { close(root) }
    var count = 0
    while true {
      let inner = try empty(root)
      if inner.isEmpty { break }
      for name in inner { try remove(name, root, &count) }
    }
    if rmdir(path) < 0 { throw failure("delete", "") }
  }

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Removes everything but folders from the root.
  ///
  /// - Returns: names of the folders that are left.
  private func empty(_ root: Int32) throws(HostError) -> [[UInt8]] {
    var inner: [[UInt8]] = []
    for name in try names(in: root, "") {
      if name.withCPath({ unlinkat(root, $0, 0) }) == 0 { continue }
      guard errno == EISDIR || errno == EPERM else { throw failure("delete", text(name)) }
      inner.append(name)
    }
    return inner
  }

  /// Removes a folder of the root, after moving up the folders in it.
  private func remove(
    _ name: [UInt8], _ root: Int32, _ count: inout Int
  ) throws(HostError) {
    _ = name.withCPath { fchmodat(root, $0, 0o700, 0) }
    let folder = name.withCPath { openat(root, $0, Self.flags) }
    guard folder >= 0 else { throw failure("look into", text(name)) }
    defer { close(folder) }
    for entry in try names(in: folder, text(name)) {
      if entry.withCPath({ unlinkat(folder, $0, 0) }) == 0 { continue }
      guard errno == EISDIR || errno == EPERM else { throw failure("delete", text(entry)) }
      // Moving a folder takes the permission to change it, because its `..` is another then.
      _ = entry.withCPath { fchmodat(folder, $0, 0o700, 0) }
      try moveUp(entry, folder, root, &count)
    }
    if name.withCPath({ unlinkat(root, $0, AT_REMOVEDIR) }) < 0 {
      throw failure("delete", text(name))
    }
  }

  private func moveUp(
    _ name: [UInt8], _ folder: Int32, _ root: Int32, _ count: inout Int
  ) throws(HostError) {
    // An empty folder that has the new name already is replaced, and so gone as well.
    repeat {
      count += 1
      let isMoved = name.withCPath { old in
        Array("moved-\(count)".utf8).withCPath { renameat(folder, old, root, $0) == 0 }
      }
      if isMoved { return }
    } while errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
    throw failure("move", text(name))
  }

  private func names(in folder: Int32, _ name: String) throws(HostError) -> [[UInt8]] {
    // A stream closes its descriptor.
    guard let stream = fdopendir(openat(folder, ".", Self.flags)) else {
      throw failure("look into", name)
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  private func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

  private func failure(_ action: String, _ name: String) -> HostError {
    let reason = lastError()
    let place = name.isEmpty ? path : "\(path)/\(name)"
    return HostError(.folder, "cannot \(action) `\(place)`: \(reason)")
  }
}
