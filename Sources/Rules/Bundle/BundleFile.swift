internal import Foundation
internal import OutputFiles

/// The files of bundles on disk.
package enum BundleFile {
  /// The path that stands for standard input.
  private static let standardInput = "-"

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes: a device has no end.
  ///   - isFound: Whether a folder has the file, and the user did not name it: pipes and devices in a folder are not
  ///     meant to be read.
  /// - Throws: ``BundleError`` with the system's reason, where the file is larger, and where one in a folder is no
  ///   regular file.
  package static func bytes(
    _ path: String, atMost limit: Int = ListText.maximumSize, isFound: Bool = false
  ) throws(BundleError) -> [UInt8] {
    // A pipe or a device must not make anybody wait, but for one that the user names; for files it means nothing.
    let descriptor =
      path == standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var status = stat()
    if isFound, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw BundleError(file: path, message: "it is no file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
        guard bytes.count <= limit else {
          let size = limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) bytes"
          throw BundleError(file: path, message: "the file has more than \(size)")
        }
      } else if errno != EINTR {
        throw unreadable(path)
      }
    }
  }

  /// Reads a property list.
  ///
  /// - Parameters:
  ///   - macros: The macros defined for the preprocessor; nil: the list is not preprocessed.
  ///   - isFound: Whether a folder has the file, and the user did not name it.
  static func list(
    _ path: String, macros: [String: String]? = nil, isFound: Bool = false
  ) throws(BundleError) -> PropertyList {
    let bytes = try bytes(path, isFound: isFound)
    guard !bytes.isEmpty else { throw BundleError(file: path, message: "the file is empty") }
    guard !bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) else {
      throw BundleError(
        file: path,
        message: "is a zip archive, as an `.ipa` is; unpack it, and name the app in its `Payload`")
    }
    return try PropertyList(bytes, file: path, macros: macros)
  }

  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// The names in a folder, in alphabetical order; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Replaces a file's content by `bytes`, all at once: a reader gets the old file or the new one. Permissions
  /// stay; a symbolic link stays one.
  ///
  /// - Throws: ``BundleError`` with the system's reason; the file is unchanged then.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(BundleError) {
    if path == standardInput {
      throw BundleError(file: path, message: "standard input cannot be written; use --diff")
    }
    do throws(OutputFailure) {
      try OutputFile.write(bytes, to: path)
    } catch {
      throw BundleError(file: path, message: "cannot be written: \(error)")
    }
  }

  private static func unreadable(_ path: String) -> BundleError {
    BundleError(file: path, message: "cannot be read: \(reason)")
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }
}
