/// The few forms of DER (X.690) that extensions of certificates are made of.
enum DER {
  static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, parts.flatMap(\.self)) }

  static func boolean(_ flag: Bool) -> [UInt8] { value(0x01, [flag ? 0xFF : 0]) }

  static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  static func octets(_ bytes: [UInt8]) -> [UInt8] { value(0x04, bytes) }

  /// A bit string of up to eight named bits, the first of them the highest.
  static func bits(_ bits: UInt8) -> [UInt8] {
    value(0x03, [UInt8(bits == 0 ? 0 : bits.trailingZeroBitCount), bits])
  }

  /// An element with the context-specific tag `number`.
  static func tagged(_ number: UInt8, _ content: [UInt8], isConstructed: Bool = false) -> [UInt8] {
    value((isConstructed ? 0xA0 : 0x80) | number, content)
  }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    [tag] + length(content.count) + content
  }

  private static func length(_ count: Int) -> [UInt8] {
    guard count > 0x7F else { return [UInt8(count)] }
    let bytes = withUnsafeBytes(of: count.bigEndian) { Array($0.drop { $0 == 0 }) }
    return [0x80 | UInt8(bytes.count)] + bytes
  }
}
