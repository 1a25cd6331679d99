internal import Glibc

/// The reason why protected bytes cannot be read or written, with the file and the chunk.
package struct FileProtectionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  package enum Code: Sendable, Equatable {
    /// The bytes do not begin as protected bytes do.
    case notProtected
    /// A newer Sluice wrote the bytes.
    case newerVersion
    /// The end is missing.
    case cut
    /// A bit is not as it was written.
    case altered
    /// The key is that of another file or account, or the part of the header that would show this was altered.
    case wrongKey
    /// Others held the file's lock for too long.
    case busy
    /// The system refused with this `errno`.
    case system(Int32)
    /// The file was closed before.
    case closed
  }

  package let code: Code
  /// The file; empty where the bytes were not in one.
  package let path: String
  /// The piece of 4,096 bytes, counted from 0, that the error is about; nil where it is about all the bytes.
  package let chunk: Int?

  /// An error of `code` about `chunk` of the file at `path`.
  package init(_ code: Code, path: String, chunk: Int? = nil) {
    self.code = code
    self.path = path
    self.chunk = chunk
  }

  package var description: String {
    let file = path.isEmpty ? "the protected data" : "`\(path)`"
    let place = chunk.map { "chunk \($0) of \(file)" } ?? file
    return switch code {
    case .notProtected: "\(place) is not protected"
    case .newerVersion: "\(place) was protected by a newer version of Sluice"
    case .cut: "\(place) is cut off"
    case .altered: "\(place) was altered"
    case .wrongKey: "\(place) does not open with this key"
    case .busy: "\(place) is locked by others"
    case .system(let number):
      "\(place) cannot be used: \(String(cString: strerror(number)).lowercased())"
    case .closed: "\(place) is closed"
    }
  }
}
