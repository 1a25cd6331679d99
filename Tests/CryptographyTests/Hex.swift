/// Decodes an even number of hexadecimal digits.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  precondition(digits.count == hex.count && hex.count.isMultiple(of: 2), "not hexadecimal")
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
