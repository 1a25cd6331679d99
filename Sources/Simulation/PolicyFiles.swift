internal import Foundation
public import Policy

/// Policy documents from files.
public enum PolicyFiles {
  /// All policies of one file, or those for iOS below a folder.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func load(_ path: String) throws(RunError) -> [PolicyDocument] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return try read(InputFile.bytes(path), file: path) }
    return try load(folder: ExportFolder(name: path), at: path)
  }

  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func read(_ bytes: [UInt8], file: String) throws(RunError) -> [PolicyDocument] {
    do {
      return try PolicyReader.read(bytes, file: file)
    } catch {
      throw RunError("\(error)")
    }
  }

  private static func load(
    folder: ExportFolder, at path: String
  ) throws(RunError) -> [PolicyDocument] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    var files: [ExportFolder.File] = []
    for name in folder.candidates(among: names) where InputFile.isFile("\(path)/\(name)") {
      files.append(ExportFolder.File(path: name, bytes: try InputFile.bytes("\(path)/\(name)")))
    }
    do {
      return try folder.policies(in: files)
    } catch {
      throw RunError("\(error)")
    }
  }
}
