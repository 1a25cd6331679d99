internal import Glibc

extension UnsafeRawBufferPointer {
  /// Whether both have the same bytes, of which there are as many.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let base = baseAddress, let otherBase = other.baseAddress else { return true }
    return memcmp(base, otherBase, count) == 0
  }
}
