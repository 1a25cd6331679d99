internal import Diagnostics
internal import Foundation
internal import OutputFiles
internal import Simulation

/// Files that are begun together: all of them, or none.
struct NewFiles {
  /// The beginning of all paths.
  private let prefix: String
  /// The paths that have been made, folders before their content.
  private var made: [String] = []

  init(prefix: String) { self.prefix = prefix }

  /// Writes the files.
  ///
  /// - Throws: ``RunError`` where a file exists, or the system refuses one. No file is left then.
  mutating func begin(_ files: [Scaffold.File]) throws(RunError) {
    do throws(RunError) {
      for file in files { try begin(file) }
    } catch {
      discard()
      throw error
    }
  }

  private mutating func begin(_ file: Scaffold.File) throws(RunError) {
    let path = prefix + file.path
    if let slash = file.path.lastIndex(of: "/") {
      try makeFolder("\(prefix)\(file.path[..<slash])", for: path)
    }
    // Never through a link, nor over a file.
    let mode: mode_t = file.isExecutable ? 0o777 : 0o666
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw Self.refusal(of: path) }
    defer { close(descriptor) }
    made.append(path)
    do throws(OutputFailure) {
      try OutputFile.fill(descriptor, with: Array(file.text.utf8))
    } catch {
      throw RunError(unwritable: path, error.code)
    }
  }

  /// Makes a folder and those above it.
  private mutating func makeFolder(_ folder: String, for path: String) throws(RunError) {
    if let slash = folder.lastIndex(of: "/"), slash > folder.startIndex,
      !FileManager.default.fileExists(atPath: String(folder[..<slash]))
    {
      try makeFolder(String(folder[..<slash]), for: path)
    }
    if mkdir(folder, 0o777) == 0 {
      made.append(folder)
    } else if errno != EEXIST {
      throw Self.refusal(of: path)
    }
  }

  /// The error of a file that the system has just refused.
  private static func refusal(of path: String) -> RunError {
    guard errno == EEXIST else { return RunError(unwritable: path, errno) }
    return RunError(.path(path), "the file exists; choose another name", rule: "file")
  }

  private mutating func discard() {
    for path in made.reversed() { remove(path) }
    made = []
  }
}
