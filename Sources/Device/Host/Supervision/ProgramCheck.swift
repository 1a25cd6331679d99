internal import Glibc

/// Checks of programs that guests are to run.
enum ProgramCheck {
  /// Length of the longest script that is run, in bytes.
  static let longestScript = 1 << 20

  /// Checks a script.
  ///
  /// - Throws: ``HostError`` where `path` is no file that can be read, or one too long for a script.
  static func check(script path: String) throws(HostError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw HostError(.program, "cannot find the script `\(path)`: \(lastError())")
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
      throw HostError(.program, "the script `\(path)` is not a readable file")
    }
    guard status.st_size <= longestScript else {
      throw HostError(
        .program, "the script `\(path)` has \(status.st_size) bytes, the limit is 1 MiB")
    }
  }

  /// Checks an executable.
  ///
  /// - Throws: ``HostError`` where `path` is no file that can be executed, or a script without interpreter.
  static func check(executable path: String) throws(HostError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw HostError(.program, "cannot find the executable `\(path)`: \(lastError())")
    }
    guard status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
      throw HostError(.program, "`\(path)` is not an executable file")
    }
    if let interpreter = Script(path: path)?.interpreter, access(interpreter, X_OK) != 0 {
      throw HostError(
        .program, "cannot find the interpreter `\(interpreter)` of `\(path)`: \(lastError())")
    }
  }
}
