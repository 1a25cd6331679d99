internal import Glibc

/// A failure of the host to reach a file in a container: the action, the place, and the reason.
struct ContainerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The system's error number; `EISDIR` for a folder and ``notRegular`` for anything else where a file is wanted,
  /// `EXDEV` for a path that leads out, as in openat2(2).
  var code: Int32
  /// The action that failed, to be read after "cannot".
  var action: String
  /// Path of the file in raw bytes, relative to the container; empty for the container itself.
  var path: [UInt8]
  /// Path of the container's folder.
  var container: String

  /// The code for an entry that is neither a file, nor a folder, nor a link, such as a pipe; none of the system's.
  static let notRegular: Int32 = -1

  /// Whether there is no such file, or no longer.
  var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a folder is where a file is wanted.
  var isFolder: Bool { code == EISDIR }

  /// A sentence in lower case, without full stop.
  var description: String {
    let place = path.isEmpty ? container : "\(container)/\(PathText.shown(path))"
    return "cannot \(action) `\(place)`: \(reason)"
  }

  /// The reason, without the place.
  var reason: String {
    switch code {
    case Self.notRegular: "it is no regular file"
    case EXDEV: "the path leads out of the container"
    case ELOOP: "there is a symbolic link in the path"
    default: String(cString: strerror(code))  // open: the system's error numbers
    }
  }
}
