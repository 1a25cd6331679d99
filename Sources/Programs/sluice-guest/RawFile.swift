internal import Glibc
internal import SluiceKit
internal import Wire

/// A file as it is on the disk, without a request to the host.
struct RawFile {
  private let place: String

  init(_ file: FileReference) { place = String(decoding: file.place, as: UTF8.self) }

  /// The content; nil where it cannot be read.
  func read() -> [UInt8]? {
    guard let file = fopen(place, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  /// Replaces the content; returns whether all of it was written.
  func write(_ bytes: [UInt8]) -> Bool {
    guard let file = fopen(place, "we") else { return false }
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}
