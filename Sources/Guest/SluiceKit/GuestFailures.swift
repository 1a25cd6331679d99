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

  /// A folder in the app's container with one file per content. The file's size in bytes is the number of deliveries of
  /// the content.
  private static let folder = "Draws"

  /// Draws the random failures for a received item. Waits for the delay in ``chances``. This process may then crash,
  /// hang, or allocate memory until the device kills it.
  ///
  /// - Returns: Whether the guest refuses the item.
  package func meet(_ item: Item) -> Bool { draw(item, canFail: true) }

  package func refusesToProvide(_ item: Item) -> Bool { draw(item, canFail: false) }

  private func draw(_ item: Item, canFail: Bool) -> Bool {
    guard chances.isEffective else { return false }
    usleep(chances.delay * 1_000)
    let content = SplitMix.seed(canFail ? 1 : 2, of: String(decoding: item.bytes, as: UTF8.self))
    var numbers = SplitMix(seed: chances.seed &+ content &+ Self.count(content))
    let number = UInt32(numbers.below(Int(Chances.whole)))
    let (crash, hang) = (chances.crash, chances.crash + chances.hang)
    let others = hang + chances.hoard
    if canFail {
      if number < crash { abort() }
      if number < hang { Self.hang() }
      if number < others { Self.hoard() }
    }
    return number >= others && number - others < chances.refuse
  }

  private static func hang() -> Never { while true { sleep(60) } }

  /// Allocates memory until the device kills the guest. First, it reserves all address space, because the device limits
  /// the address space of apps. Then it writes to the reserved space, because the device limits the resident memory of
  /// extensions. It writes slowly, so the device kills the guest before the machine runs out of memory.
  private static func hoard() -> Never {
    var blocks: [UnsafeMutableRawBufferPointer] = []
    blocks.reserveCapacity(64)
    // Halving from the size of the whole address space down to half a mebibyte takes few blocks.
    var size = 1 << 46
    while size >= 1 << 19 {
      let block = mmap(
        nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
      if let block, block != MAP_FAILED {
        blocks.append(UnsafeMutableRawBufferPointer(start: block, count: size))
      } else {
        size /= 2
      }
    }
    // On a device without limits, the guest must not take all memory of the machine.
    var left = 1 << 30
    let piece = 1 << 19
    for block in blocks {
      let end = min(block.count, left)
      for offset in stride(from: 0, to: end, by: piece) {
        memset(block.baseAddress! + offset, 1, piece)
        usleep(500)
      }
      left -= end
    }
    hang()
  }

  /// Counts a delivery of the content, and returns the number of deliveries; 0 if counting fails.
  private static func count(_ content: UInt64) -> UInt64 {
    mkdir(folder, 0o700)
    let file = open("\(folder)/\(content)", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    _ = write(file, ".", 1)
    return UInt64(max(0, lseek(file, 0, SEEK_CUR)))
  }
}
