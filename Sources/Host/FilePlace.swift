/// Where a file is, as the device knows it: whose folder, and the path below that.
struct FilePlace: Hashable, Sendable {
  /// The folder from the device's own, such as `Containers/notes` or `Groups/group.com.example`.
  let scope: String
  /// From the scope, normalised: neither empty nor absolute, without empty, `.` and `..` components. Bytes,
  /// not text: a file name on Linux is whatever has neither `/` nor NUL.
  let path: [UInt8]

  /// `PATH_MAX` of Linux.
  static let longestPath = 4096

  /// nil where `path` is empty, absolute, too long or leads to the scope itself or out of it.
  init?(scope: String, path: some Collection<UInt8>) {
    let slash = UInt8(ascii: "/")
    guard path.count <= Self.longestPath, path.first != slash, !path.contains(0) else { return nil }
    var normal: [UInt8] = []
    normal.reserveCapacity(path.count)
    for component in path.split(separator: slash) {
      if component.elementsEqual(".".utf8) { continue }
      if component.elementsEqual("..".utf8) { return nil }
      if !normal.isEmpty { normal.append(slash) }
      normal.append(contentsOf: component)
    }
    guard !normal.isEmpty else { return nil }
    self.scope = scope
    self.path = normal
  }

  init?(scope: String, path: String) { self.init(scope: scope, path: Array(path.utf8)) }
}

extension FilePlace: CustomStringConvertible {
  /// Scope and path. What is no UTF-8, and control characters, print as `\xNN`.
  var description: String {
    var text = "\(scope)/"
    var parser = Unicode.UTF8.ForwardParser()
    var bytes = path.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar.value < 0x20 || scalar.value == 0x7F {
          text += Self.escape(path[offset])
        } else {
          text.unicodeScalars.append(scalar)
        }
        offset += encoded.count
      case .error(let length):
        for byte in path[offset..<(offset + length)] { text += Self.escape(byte) }
        offset += length
      case .emptyInput: return text
      }
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count < 2 ? "\\x0\(digits)" : "\\x\(digits)"
  }
}
