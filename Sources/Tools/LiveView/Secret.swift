internal import Encodings

/// The part of the page's address that nobody can guess: whoever knows it has been told it.
struct Secret: Sendable {
  /// 128 random bits in hexadecimal.
  let text: String

  init() {
    var generator = SystemRandomNumberGenerator()
    text = Hexadecimal.text(
      (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Whether a text is the secret; how long that takes tells nothing about where it differs.
  func matches(_ text: some StringProtocol) -> Bool {
    let (one, other) = (Array(self.text.utf8), Array(text.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
