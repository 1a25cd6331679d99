/// The path of a file in a container: the names of folders, then its own, as raw bytes.
///
/// It is normalised: no name is empty, `.` or `..`, so the path alone cannot lead out of the container.
struct ContainerPath: Sendable, Hashable {
  let bytes: [UInt8]
  let components: [ArraySlice<UInt8>]

  /// Normalises a path; nil where it is absolute, or has a `..` or a zero byte.
  ///
  /// The empty path, and `.`, name the container itself.
  init?(_ raw: [UInt8]) {
    guard raw.first != .slash, !raw.contains(0) else { return nil }
    let names = raw.split(separator: .slash).filter { !$0.elementsEqual([.dot]) }
    guard !names.contains(where: { $0.elementsEqual([.dot, .dot]) }) else { return nil }
    components = names
    bytes = Array(names.joined(separator: [.slash]))
  }

  /// The folder above, and the last name; nil for the container itself.
  var split: (folder: [UInt8], name: [UInt8])? {
    guard let name = components.last else { return nil }
    return (Array(bytes.dropLast(name.count + 1)), Array(name))
  }

  static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension UInt8 {
  fileprivate static let slash = UInt8(ascii: "/")
  fileprivate static let dot = UInt8(ascii: ".")
}
