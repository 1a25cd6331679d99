internal import Glibc

/// What keeps the host from a file in a container: what it was about to do, where, and why it cannot.
struct ContainerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system's error number; `EISDIR` for a folder and ``notRegular`` for anything else where a file is
  /// wanted, `EXDEV` for a path that leads out, as openat2(2) has it.
  var code: Int32
  /// What failed, to be read after "cannot".
  var action: String
  /// Raw bytes, relative to the container; empty for the container itself.
  var path: [UInt8]
  /// The container's folder.
  var container: String

  /// The code for what is neither a file, nor a folder, nor a link, such as a pipe.
  static let notRegular = EINVAL

  /// Whether there is no such file, or not any more.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a folder is where a file is wanted.
  var isFolder: Bool { code == EISDIR }

  /// Lower case, no full stop.
  var description: String {
    let place = path.isEmpty ? container : "\(container)/\(PathText.shown(path))"
    return "cannot \(action) `\(place)`: \(reason)"
  }

  /// Why, without saying where.
  var reason: String {
    switch code {
    case Self.notRegular: "it is no regular file"
    case EXDEV: "the path leads out of the container"
    case ELOOP: "there is a symbolic link in the path"
    default: String(cString: strerror(code))
    }
  }
}
