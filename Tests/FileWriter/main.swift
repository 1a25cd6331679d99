// This program writes to an encrypted file until it is killed or reaches a limit.
//
//   file-writer overwrite FILE KEY LOG SEED   random writes and truncations, recorded in LOG
//   file-writer limit FILE KEY BYTES LENGTH   appends LENGTH bytes, with a limit of BYTES for files
//
// A log record has four numbers of eight bytes: 1 before a write, 2 before a truncation, 3 after either;
// then the offset, the count and the first byte of the written data.
internal import FileProtection
internal import Glibc

func fail(_ message: String) -> Never {
  let line = Array("file-writer: \(message)\n".utf8)
  _ = write(2, line, line.count)
  exit(1)
}

func fileKey(_ hex: String) -> FileKey {
  let digits = hex.compactMap(\.hexDigitValue)
  return FileKey(stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}

/// The bytes have consecutive values. They are created fast even without optimisation.
let counting = {
  var bytes = (0..<256).map { UInt8($0) }
  while bytes.count < 512 * 1024 { bytes += bytes }
  return bytes
}()

func bytes(first: UInt64, count: Int) -> [UInt8] {
  Array(counting[Int(first)..<(Int(first) + count)])
}

func overwrite(_ file: EncryptedFile, log: Int32, seed: UInt64) throws {
  var state = seed
  func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
  func note(_ kind: UInt64, _ offset: Int = 0, _ count: Int = 0, _ first: UInt64 = 0) {
    let record = [kind, UInt64(offset), UInt64(count), first]
    record.withUnsafeBytes { if write(log, $0.baseAddress, $0.count) != $0.count { fail("log") } }
  }
  let parent = getppid()
  while getppid() == parent {
    let size = try file.size
    if random(8) == 0 {
      let offset = random(400_000)
      note(2, offset)
      try file.truncate(to: offset)
    } else {
      let offset = random(size + 5000)
      let count = 1 + random(random(3) == 0 ? 200_000 : 9_000)
      let first = UInt64(random(256))
      let content = bytes(first: first, count: count)
      note(1, offset, count, first)
      try content.withUnsafeBytes { try file.write($0, at: offset) }
    }
    note(3)
  }
}

func runIntoLimit(_ file: EncryptedFile, bytes limit: Int, length: Int) {
  var limits = rlimit(rlim_cur: UInt(limit), rlim_max: UInt(limit))
  guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0 else { fail("limit") }
  do throws(FileProtectionError) {
    let content = bytes(first: 7, count: length)
    let size = try file.size
    // The standard library's closure does not propagate typed errors.
    let result = content.withUnsafeBytes { (bytes) -> FileProtectionError? in
      do throws(FileProtectionError) {
        try file.write(bytes, at: size)
        return nil
      } catch {
        return error
      }
    }
    if let result { throw result }
    print("written")
  } catch {
    print(error.code == .system(EFBIG) ? "EFBIG" : error.description)
  }
}

let words = CommandLine.arguments
guard words.count == 6 else { fail("five arguments") }
let descriptor = open(words[2], O_RDWR)
guard descriptor >= 0 else { fail("no file") }
let file = try EncryptedFile(
  descriptor: descriptor, key: fileKey(words[3]), path: words[2])
switch words[1] {
case "overwrite":
  let log = open(words[4], O_WRONLY | O_CREAT | O_APPEND, 0o600)
  try overwrite(file, log: log, seed: UInt64(words[5]) ?? 0)
case "limit":
  runIntoLimit(file, bytes: Int(words[4]) ?? 0, length: Int(words[5]) ?? 0)
default:  // open: any other word
  fail("unknown")
}
