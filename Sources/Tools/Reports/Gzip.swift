internal import CZlib

/// Gzip compression (RFC 1952) with zlib.
package enum Gzip {
  /// Compresses `bytes` without a name or time, so equal input gives equal output.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    // 15 window bits, plus 16 to select a gzip header.
    let status = deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib has no memory")
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, uLong(bytes.count)))
    return bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: room) { output, count in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(room)
        precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END, "more than `deflateBound` said")
        count = room - Int(stream.avail_out)
      }
    }
  }
}
