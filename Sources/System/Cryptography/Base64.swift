internal import CCrypto

/// The base64 form of `bytes` (RFC 4648, section 4), in one line.
package func base64(_ bytes: [UInt8]) -> String {
  // For each three bytes, and each rest of them, four characters, and a zero at the end.
  let room = (bytes.count + 2) / 3 * 4 + 1
  let characters = [UInt8](unsafeUninitializedCapacity: room) { characters, count in
    count = Int(EVP_EncodeBlock(characters.baseAddress, bytes, CInt(bytes.count)))
  }
  return String(decoding: characters, as: UTF8.self)
}
