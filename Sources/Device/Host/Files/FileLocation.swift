internal import Encodings

/// The location of a file: a container or group folder, and a path below it.
struct FileLocation: Hashable, Sendable {
  /// The scope's path, relative to the device's folder, such as `Containers/notes` or `Groups/group.com.example`.
  let scope: String
  /// The normalised path relative to the scope: neither empty nor absolute, without empty, `.` and `..` components. The
  /// path is raw bytes, because a Linux file name may contain all bytes except `/` and NUL.
  let path: [UInt8]

  /// The maximum length of a path in bytes: `PATH_MAX` of Linux.
  private static let longestPath = 4096

  /// Normalises a path. Returns nil if the path is empty, absolute or too long, names the scope itself, or
  /// contains a `..` component or a zero byte.
  init?(scope: String, path: some Collection<UInt8>) {
    guard path.count <= Self.longestPath, let path = ContainerPath(Array(path)), !path.bytes.isEmpty
    else { return nil }
    self.scope = scope
    self.path = path.bytes
  }

  init?(scope: String, path: String) { self.init(scope: scope, path: Array(path.utf8)) }
}

extension FileLocation: CustomStringConvertible {
  var description: String { "\(scope)/\(PathText.shown(path))" }
}

/// A file's move to another location. The database records it before the file is moved, so the file's owner remains
/// known even if the device dies during the move.
struct FileMove: Hashable, Sendable {
  var from: FileLocation
  var to: FileLocation
}

/// The normalised path of a file in a container, as raw bytes.
///
/// No component is empty, `.` or `..`, so the path alone cannot lead out of the container.
struct ContainerPath: Sendable, Hashable {
  let bytes: [UInt8]
  let components: [ArraySlice<UInt8>]

  /// Normalises a path. Returns nil if it is absolute, or has a `..` component or a zero byte.
  ///
  /// The empty path and `.` refer to the container itself.
  init?(_ raw: [UInt8]) {
    guard raw.first != .slash, !raw.contains(0) else { return nil }
    let names = raw.split(separator: .slash).filter { !$0.elementsEqual([.dot]) }
    guard !names.contains(where: { $0.elementsEqual([.dot, .dot]) }) else { return nil }
    components = names
    bytes = Array(names.joined(separator: [.slash]))
  }

  /// The parent folder and the last component; nil for the container itself.
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

/// Formats a path of raw bytes as readable text. Invalid UTF-8, unprintable characters and the
/// backslash become `\xNN`, so different paths never look alike.
enum PathText {
  static func shown(_ path: some Collection<UInt8>) -> String {
    let bytes = Array(path)
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.isPrintable, scalar != "\\" {
          text.unicodeScalars.append(scalar)
        } else {
          text += escapes(bytes[offset..<(offset + encoded.count)])
        }
        offset += encoded.count
      case .error(let length):
        text += escapes(bytes[offset..<(offset + length)])
        offset += length
      case .emptyInput: return text
      }
    }
  }

  private static func escapes(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.map { "\\x" + Hexadecimal.text([$0]) }.joined()
  }
}
