internal import Glibc
internal import Model

/// Stores the data that apps give to the system, such as printouts and documents in storage locations. Each item
/// becomes a file in the device's folder. Guests cannot access the files.
final class SystemSink {
  let folder: String
  private let disk: DiskWatch?
  /// The sizes of the files stored since the device's start, by path in the folder.
  private var sizes: [String: Int] = [:]
  private var byteCount = 0

  // These limits keep guests from filling the host's disk. They count from the device's start.
  private static let limit = 4096
  private static let byteLimit = 256 << 20

  /// Creates a sink that stores files in `folder`.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, which is created with the first file.
  ///   - disk: The watch that reserves disk space for the device; nil if there is none.
  init(folder: String, disk: DiskWatch? = nil) {
    self.folder = folder
    self.disk = disk
  }

  /// Returns a clause for error messages that states why the sink rejects `bytes` more bytes; nil if it accepts them.
  func refusal(of bytes: Int) -> String? {
    if sizes.count >= Self.limit {
      return "\(sizes.count) items are stored; the maximum is \(Self.limit)"
    }
    if bytes > Self.byteLimit - byteCount {
      return "\(byteCount + bytes) bytes would be stored; the maximum is \(Self.byteLimit)"
    }
    do throws(DiskExcess) {
      try disk?.admit(savedBytes: bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Returns a file name for a request's item: the request number, followed by a suffix if a file with that name
  /// exists. Names can repeat because a device without a journal numbers requests from 1 after each start.
  func name(for request: Int, at place: String) -> String {
    var (name, copies) = ("\(request)", 1)
    while access("\(folder)/\(place)/\(name)", F_OK) == 0 {
      copies += 1
      name = "\(request)-\(copies)"
    }
    return name
  }

  /// Removes deleted files from the counts of stored files and bytes. Files from before the device's start were never
  /// counted, so they are ignored.
  func forget(_ deleted: [FileLocation]) {
    for file in deleted where file.scope.hasPrefix("System/") {
      let path =
        "\(file.scope.dropFirst("System/".count))/\(String(decoding: file.path, as: UTF8.self))"
      byteCount -= sizes.removeValue(forKey: path) ?? 0
    }
  }

  /// Saves `bytes` as a file.
  ///
  /// - Parameter place: The path of the file's folder in the sink.
  /// - Returns: false if the sink or the disk is full, or the file cannot be written.
  func store(_ bytes: [UInt8], named name: String, at place: String) -> Bool {
    guard refusal(of: bytes.count) == nil else { return false }
    mkdir(folder, 0o700)
    var parent = folder
    for name in place.split(separator: "/") {
      parent += "/\(name)"
      mkdir(parent, 0o700)
    }
    let path = "\(folder)/\(place)/\(name)"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        // An incomplete file is removed.
        unlink(path)
        return false
      }
    }
    sizes["\(place)/\(name)"] = bytes.count
    byteCount += bytes.count
    return true
  }
}

extension Channel {
  /// The channels by which apps copy data to the system's own apps. A wipe removes this data.
  ///
  /// Source: Microsoft Learn, "iOS app protection policy settings", "Sync policy managed app data with native
  /// apps or add-ins".
  static let synced: [Channel] = [.contactSync, .widget]
}
