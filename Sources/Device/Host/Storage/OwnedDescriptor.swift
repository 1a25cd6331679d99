internal import Glibc

/// A descriptor with one owner, closed once: with its owner.
struct OwnedDescriptor: ~Copyable {
  let raw: Int32

  /// Takes a descriptor over.
  ///
  /// - Parameter raw: an open descriptor that nobody else closes.
  init(_ raw: Int32) { self.raw = raw }

  deinit { close(raw) }
}
