internal import Glibc

extension Device {
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
