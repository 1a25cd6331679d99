internal import CCrypto

/// Returns the base64 encoding of `bytes` (RFC 4648, section 4) without line breaks.
package func base64(_ bytes: [UInt8]) -> String {
  // Four characters for every three bytes or remainder, and a terminating zero.
  let room = (bytes.count + 2) / 3 * 4 + 1
  let characters = [UInt8](unsafeUninitializedCapacity: room) { characters, count in
    count = Int(EVP_EncodeBlock(characters.baseAddress, bytes, CInt(bytes.count)))
  }
  return String(decoding: characters, as: UTF8.self)
}
