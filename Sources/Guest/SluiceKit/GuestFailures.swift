internal import Encodings
internal import Glibc
package import Model
package import Wire

/// The guest's random failures. Each draw depends on the guest's seed, the item's content, and the number of
/// times that the guest has received this content. It depends neither on restarts nor on the order of
/// simultaneous items.
package struct GuestFailures {
  package var chances = Chances()

  package init() {}

  /// The folder in the app's container with a file for each content. A file's size in bytes is the number of times that
  /// the app has got the content.
  private static let folder = "Draws"

  /// Waits, crashes or hangs as drawn for an item that the app gets.
  ///
  /// - Returns: Whether the guest refuses the item.
  package func meet(_ item: Item) -> Bool { draw(item, canFail: true) }

  /// - Returns: Whether the guest refuses to provide the item.
  package func refusesToProvide(_ item: Item) -> Bool { draw(item, canFail: false) }

  private func draw(_ item: Item, canFail: Bool) -> Bool {
    guard chances.isEffective else { return false }
    usleep(chances.delay * 1_000)
    let content = SplitMix.seed(canFail ? 1 : 2, of: String(decoding: item.bytes, as: UTF8.self))
    var numbers = SplitMix(seed: chances.seed &+ content &+ Self.count(content))
    let number = UInt32(numbers.below(Int(Chances.whole)))
    if canFail {
      if number < chances.crash { abort() }
      if number < chances.crash + chances.hang { while true { sleep(60) } }
    }
    let others = chances.crash + chances.hang
    return number >= others && number - others < chances.refuse
  }

  /// Counts a delivery of the content to the app, and returns the number of its deliveries; 0 if it cannot be counted.
  private static func count(_ content: UInt64) -> UInt64 {
    mkdir(folder, 0o700)
    let file = open("\(folder)/\(content)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    _ = write(file, ".", 1)
    return UInt64(max(0, lseek(file, 0, SEEK_CUR)))
  }
}
