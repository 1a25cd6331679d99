internal import CCrypto

/// Unpredictable bytes from the operating system's generator.
public func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system has no randomness to give")
  return bytes
}
