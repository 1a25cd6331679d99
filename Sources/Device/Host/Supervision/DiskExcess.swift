/// An excess over the ``DiskQuota``: what was found, and what is allowed.
struct DiskExcess: Error, Equatable, CustomStringConvertible {
  /// The bound that is passed.
  enum Bound: Equatable {
    /// Bytes of the container at a path relative to the device's folder.
    case bytes(of: String)
    /// Files and folders of such a container.
    case files(of: String)
    /// Folders of such a container that are too deep in one another to be looked into.
    case depth(of: String)
    /// Bytes of all containers.
    case total
    /// Free bytes of the file system, of which too few are left.
    case reserve
  }

  var bound: Bound
  var found: Int
  var allowed: Int

  /// A clause in lower case.
  var description: String {
    switch bound {
    case .bytes(let scope):
      "the container `\(scope)` takes \(found) bytes of the disk, and \(allowed) are allowed"
    case .files(let scope):
      "the container `\(scope)` holds \(found) files and folders, and \(allowed) are allowed"
    case .depth(let scope):
      "the container `\(scope)` holds folders in one another, and \(allowed) are allowed"
    case .total:
      "the containers take \(found) bytes of the disk together, and \(allowed) are allowed"
    case .reserve:
      "\(found) bytes of the disk are free, and \(allowed) are kept for the device"
    }
  }
}
