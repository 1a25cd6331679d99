internal import Cryptography
internal import FileProtection
internal import Glibc
internal import Model

/// A plain and an encrypted file of the same size, both in the page cache.
struct FileBench {
  /// Throughputs in MiB per second. The time of a 4 KiB read is in microseconds.
  struct Round {
    /// The throughput of `openssl speed -evp aes-256-gcm -bytes 16384`.
    var gcm: Double
    /// The throughput of writing a new file, in pieces of 1 MiB.
    var write: Double
    /// The throughput of overwriting the file through another handle.
    var overwrite: Double
    var read: Double
    var plainRead: Double
    var randomRead: Double
  }

  private static let piece = 1 << 20
  private let size: Int
  private let reads: Int
  private let plainPath: String
  private let path: String
  private let key = FileKey.random()
  private let accountKey = AES256GCM(key: randomBytes(32))

  init(folder: String, mebibytes: Int, reads: Int) throws {
    size = mebibytes << 20
    self.reads = reads
    plainPath = "\(folder)/sluice-bench-\(getpid()).plain"
    path = "\(folder)/sluice-bench-\(getpid()).encrypted"
    let descriptor = open(plainPath, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let bytes = randomBytes(Self.piece)
    for offset in stride(from: 0, to: size, by: Self.piece) {
      guard pwrite(descriptor, bytes, bytes.count, offset) == bytes.count else {
        throw BenchError(text: "a file cannot be read or written")
      }
    }
  }

  func remove() {
    unlink(plainPath)
    unlink(path)
  }

  func round() throws -> Round {
    let gcm = try measureGCM()
    try create()
    var round = Round(
      gcm: gcm, write: try measureWrite(), overwrite: 0, read: 0, plainRead: 0, randomRead: 0)
    round.overwrite = try measureWrite()
    round.read = try measureRead()
    round.plainRead = try measurePlainReads()
    round.randomRead = try measureRandomReads()
    return round
  }

  private func create() throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    let owner = Account(upn: "anna@contoso.com")
    let page = ProtectionHeader.firstPage(owner: owner, key: key, accountKey: accountKey)
    guard pwrite(descriptor, page, page.count, 0) == page.count else {
      throw BenchError(text: "a file cannot be read or written")
    }
  }

  private func file() throws -> EncryptedFile {
    try EncryptedFile(descriptor: open(path, O_RDWR), key: key, path: path)
  }

  /// Returns the throughput of `openssl speed` in MiB per second. It encrypts one stream in blocks
  /// of 16 KiB, without a nonce and a tag for each block. The child process inherits the CPU
  /// affinity.
  private func measureGCM() throws -> Double {
    let command = "openssl speed -elapsed -seconds 1 -evp aes-256-gcm -bytes 16384 2>/dev/null"
    guard let output = popen(command, "r") else {
      throw BenchError(text: "openssl cannot be started")
    }
    defer { pclose(output) }
    var text = ""
    var buffer = [CChar](repeating: 0, count: 256)
    while fgets(&buffer, Int32(buffer.count), output) != nil {
      text += String(
        decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    let word = text.split { $0 == " " || $0 == "\n" }.last?.dropLast() ?? ""
    guard let kilobytes = Double(word) else { throw BenchError(text: "openssl printed: \(text)") }
    return kilobytes * 1000 / 1_048_576
  }

  private func measureWrite() throws -> Double {
    let bytes = randomBytes(Self.piece)
    let file = try file()
    let elapsed = try seconds {
      for offset in stride(from: 0, to: size, by: Self.piece) {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
      }
    }
    return Double(size) / elapsed / 1_048_576
  }

  private func measureRead() throws -> Double {
    let file = try file()
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    let elapsed = try seconds {
      for offset in stride(from: 0, to: size, by: Self.piece) {
        guard
          try bytes.withUnsafeMutableBytes({ try file.read(into: $0, at: offset) })
            == Self.piece
        else { throw BenchError(text: "a file cannot be read or written") }
      }
    }
    return Double(size) / elapsed / 1_048_576
  }

  private func measurePlainReads() throws -> Double {
    let descriptor = open(plainPath, O_RDONLY)
    defer { close(descriptor) }
    return try measureReads { pread(descriptor, $0.baseAddress, $0.count, $1) }
  }

  private func measureRandomReads() throws -> Double {
    let file = try file()
    return try measureReads { try file.read(into: $0, at: $1) }
  }

  private func measureReads(
    _ read: (UnsafeMutableRawBufferPointer, Int) throws -> Int
  ) throws -> Double {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 4096)
    defer { page.deallocate() }
    var state: UInt64 = 1
    let elapsed = try seconds {
      for _ in 0..<reads {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let place = Int(state >> 33) % (size / 4096) * 4096
        guard try read(page, place) == 4096 else {
          throw BenchError(text: "a file cannot be read or written")
        }
      }
    }
    return elapsed / Double(reads) * 1e6
  }
}

struct BenchError: Error { var text: String }

/// Returns the time that `body` takes, in seconds.
private func seconds(_ body: () throws -> Void) rethrows -> Double {
  let elapsed = try ContinuousClock().measure(body)
  return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
}
