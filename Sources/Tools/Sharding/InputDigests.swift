internal import Cryptography
internal import Encodings
public import Simulation

/// The digests of the files that a run reads.
public enum InputDigests {
  /// The digests of files, by path, in hexadecimal (SHA-256).
  ///
  /// - Throws: ``RunError`` where one cannot be read.
  public static func of(files: [String]) throws(RunError) -> [String: String] {
    var digests: [String: String] = [:]
    for file in files where digests[file] == nil {
      digests[file] = Hexadecimal.text(sha256(try InputFile.bytes(file)))
    }
    return digests
  }
}
