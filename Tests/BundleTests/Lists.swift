@testable import Bundle
import Foundation

/// Property lists for tests.
enum Lists {
  static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  static func xml(_ body: String) -> [UInt8] { Array("\(head)\(body)\n</plist>\n".utf8) }

  static func read(_ bytes: [UInt8]) throws(BundleError) -> PropertyList {
    try PropertyList(bytes, file: "a.plist")
  }

  /// Returns the description of the error for `bytes`; nil if they are valid.
  static func refusal(of bytes: [UInt8]) -> String? {
    do throws(BundleError) {
      _ = try read(bytes)
      return nil
    } catch {
      return error.description
    }
  }

  static func binary(_ bytes: [UInt8]) throws -> [UInt8] {
    let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    return Array(
      try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
  }

  /// Returns a binary property list of encoded objects. References in it have one byte.
  static func binary(objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [
        UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF),
      ]
      bytes += object
    }
    let table = [
      UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF),
    ]
    let zeros = [UInt8](repeating: 0, count: 7)
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 3, 1] + zeros + [UInt8(objects.count)] + zeros
      + [0] + zeros.dropLast(2) + table
  }

  /// A list with every kind of value, and with entities, comments, CDATA and unusual white space.
  static let full = xml(
    """
    <dict>
      <!-- a comment -->
      <key>a &amp; b</key>
      <string>1 &lt; 2 &#233; &quot;é&quot;</string>
      <key>cdata</key> <string><![CDATA[a <b> & c]]></string>
      <key>yes</key> <true/>
      <key>no</key> <false></false>
      <key>integer</key> <integer>-7</integer>
      <key>hexadecimal</key> <integer>0x1F</integer>
      <key>real</key> <real>1.0</real>
      <key>date</key> <date>2026-01-31T12:00:00Z</date>
      <key>data</key>
      <data>
      AAECAw==
      </data>
      <key>empty</key> <string/>
      <key>nested</key>
      <array>
        <string>text
    of two lines</string>
        <dict/>
        <array></array>
      </array>
    </dict>
    """)
}
