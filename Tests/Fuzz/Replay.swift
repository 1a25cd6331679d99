#if !FUZZING
  import Glibc

  /// Decodes files or writes seeds.
  ///
  /// `fuzz-guest-messages [FILE]…` decodes each file, such as one on which libFuzzer stopped.
  /// Without files, it decodes the seeds. `fuzz-guest-messages --seeds FOLDER` writes the seeds for
  /// libFuzzer to the folder.
  @main enum Replay {
    static func main() {
      let arguments = CommandLine.arguments.dropFirst()
      if arguments.first == "--seeds", let folder = arguments.dropFirst().first {
        for (index, seed) in Seeds.all.enumerated() { write(seed, to: "\(folder)/seed-\(index)") }
      } else if arguments.isEmpty {
        Seeds.all.forEach(decode)
      } else {
        for path in arguments { decode(read(path)) }
      }
    }

    private static func decode(_ bytes: [UInt8]) {
      _ = bytes.withUnsafeBufferPointer { fuzzOneInput($0.baseAddress, $0.count) }
    }

    private static func read(_ path: String) -> [UInt8] {
      let file = opened(path, "rb")
      defer { fclose(file) }
      var bytes: [UInt8] = []
      while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
      return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) {
      let file = opened(path, "wb")
      defer { fclose(file) }
      precondition(fwrite(bytes, 1, bytes.count, file) == bytes.count, "cannot write `\(path)`")
    }

    private static func opened(_ path: String, _ mode: String) -> UnsafeMutablePointer<FILE> {
      guard let file = fopen(path, mode) else { preconditionFailure("cannot open `\(path)`") }
      return file
    }
  }
#endif
