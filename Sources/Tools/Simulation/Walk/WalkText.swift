internal import Glibc

/// A text that occurs once in a walk, so that its origin is known wherever it turns up.
struct WalkText: Hashable {
  /// The number of the text, from 1.
  let number: Int

  private static let prefix = "walk-text-"
  private static let digits = 6

  /// The text repeated: more than a part of these bytes holds the text whole.
  func bytes(_ length: Length) -> [UInt8] {
    let digits = String(number)
    let padding = String(repeating: "0", count: max(0, Self.digits - digits.count))
    let text = Array("\(Self.prefix)\(padding)\(digits);".utf8)
    return (0..<length.repetitions).flatMap { _ in text }
  }

  enum Length: CaseIterable {
    case short
    /// A length of several pages of an encrypted file.
    case long

    fileprivate var repetitions: Int { self == .short ? 3 : 600 }
  }

  /// Every text that `bytes` hold in plain.
  static func all(in bytes: [UInt8]) -> Set<WalkText> {
    let prefix = Array(prefix.utf8)
    var found: Set<WalkText> = []
    bytes.withUnsafeBytes { whole in
      guard var place = whole.baseAddress else { return }
      let end = place + whole.count
      while let hit = memchr(place, Int32(prefix[0]), end - place) {
        place = UnsafeRawPointer(hit)
        guard end - place >= prefix.count + digits else { return }
        if memcmp(place, prefix, prefix.count) == 0 {
          let number = UnsafeRawBufferPointer(start: place + prefix.count, count: digits)
          if let number = Int(String(decoding: number, as: UTF8.self)) {
            found.insert(WalkText(number: number))
          }
        }
        place += 1
      }
    }
    return found
  }
}
