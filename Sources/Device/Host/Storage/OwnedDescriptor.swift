internal import Glibc

/// A descriptor with one owner, closed once: with its owner.
struct OwnedDescriptor: ~Copyable {
  let raw: Int32

  /// Takes a descriptor over.
  ///
  /// - Parameter raw: an open descriptor that nobody else closes.
  init(_ raw: Int32) { self.raw = raw }

  deinit {
    // A child that is just being started has a copy until its program runs, which would keep a lock of flock(2).
    flock(raw, LOCK_UN)
    close(raw)
  }
}
