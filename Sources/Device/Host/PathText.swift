internal import Encodings

/// A path of raw bytes as people read it: text as it is; bytes that are not UTF-8, characters that terminals obey, and the
/// backslash as `\xNN`, so that no two paths read alike.
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
