public import Policy

/// Policy documents from files.
public enum PolicyFiles {
  /// All policies of one file.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func load(_ path: String) throws(RunError) -> [PolicyDocument] {
    try read(InputFile.bytes(path), file: path)
  }

  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func read(_ bytes: [UInt8], file: String) throws(RunError) -> [PolicyDocument] {
    do {
      return try PolicyReader.read(bytes, file: file)
    } catch {
      throw RunError("\(error)")
    }
  }
}
