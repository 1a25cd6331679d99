internal import Glibc

/// A descriptor with one owner, closed once: with the owner.
struct OwnedDescriptor: ~Copyable {
  let raw: Int32

  /// - Parameter raw: open, and nobody else's to close.
  init(_ raw: Int32) { self.raw = raw }

  deinit { close(raw) }
}
