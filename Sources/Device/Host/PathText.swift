internal import Encodings

/// A path of raw bytes as people read it: text as it is, and bytes that are not UTF-8, and characters that terminals obey,
/// as `\xNN`.
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
        if scalar.isPrintable {
          text.unicodeScalars.append(scalar)
        } else {
          for byte in bytes[offset..<(offset + encoded.count)] { text += escape(byte) }
        }
        offset += encoded.count
      case .error(let length):
        for byte in bytes[offset..<(offset + length)] { text += escape(byte) }
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
