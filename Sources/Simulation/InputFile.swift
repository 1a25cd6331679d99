internal import Foundation

/// Files that a user names.
public enum InputFile {
  /// - Throws: ``RunError`` with the system's reason.
  public static func bytes(_ path: String) throws(RunError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw RunError("\(path):1:1: error: cannot read the file: \(reason(error)) [file]")
    }
  }

  /// - Throws: ``RunError`` where the file cannot be read, or is not UTF-8.
  public static func text(_ path: String) throws(RunError) -> String {
    guard let text = String(validating: try bytes(path), as: UTF8.self) else {
      throw RunError("\(path):1:1: error: the file is not UTF-8 [file]")
    }
    return text
  }

  public static func standardInput() throws(RunError) -> String {
    let data = FileHandle.standardInput.readDataToEndOfFile()
    guard let text = String(validating: data, as: UTF8.self) else {
      throw RunError("-:1:1: error: standard input is not UTF-8 [file]")
    }
    return text
  }

  private static func reason(_ error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let cause, cause.domain == NSPOSIXErrorDomain {
      return String(cString: strerror(Int32(cause.code))).lowercased()
    }
    return error.localizedDescription
  }
}
