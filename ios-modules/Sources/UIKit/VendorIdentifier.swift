internal import Foundation

enum VendorIdentifier {
  /// Returns the vendor identifier of an app on a device.
  ///
  /// - Parameter app: A bundle id. All parts except the last one identify the vendor.
  static func of(app: String, device: String) -> UUID {
    let vendor = app.split(separator: ".").dropLast().joined(separator: ".")
    let (high, low) = (hash("\(device)/\(vendor)"), hash("\(vendor)/\(device)"))
    let bytes = [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    // The bytes form a version 4 UUID (RFC 9562, section 5.4).
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6] & 0x0F | 0x40,
        bytes[7],
        bytes[8] & 0x3F | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14],
        bytes[15]
      ))
  }

  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
