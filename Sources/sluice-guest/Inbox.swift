internal import Glibc
internal import Transfer

/// What a guest has received, a file each in the folder `Inbox` of its container: `1`, `2`, ….
struct Inbox {
  private var count = Inbox.existing()

  mutating func keep(_ item: Item) {
    count += 1
    let descriptor = open("Inbox/\(count)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    switch item.payload {
    case .inline(let bytes):
      var offset = 0
      while offset < bytes.count {
        let written = bytes.withUnsafeBytes {
          write(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
        }
        guard written > 0 else { return }
        offset += written
      }
    }
  }

  /// What earlier runs of this guest have received.
  private static func existing() -> Int {
    var count = 0
    while access("Inbox/\(count + 1)", F_OK) == 0 { count += 1 }
    return count
  }
}
