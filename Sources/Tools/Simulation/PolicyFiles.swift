internal import Diagnostics
internal import GraphDocuments
public import Policy
internal import Scenario

/// Policy documents from files.
public enum PolicyFiles {
  /// All policies of one file, or those for iOS below a folder.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func load(_ path: String) throws(RunError) -> [PolicyDocument] {
    guard let input = InputFolder(path) else {
      let bytes = try InputFile.document(path)
      if let mistake = mistake(bytes, file: path) { throw mistake }
      return try read(bytes, file: path)
    }
    let folder = ExportFolder(name: path)
    var files: [ExportFolder.File] = []
    for name in folder.candidates(among: input.names) { files.append(try input.read(name)) }
    do {
      var documents = try folder.policies(in: files, beside: input.scripts(of: folder))
      guard folder.assignsPolicies(among: input.names) else { return documents }
      for index in documents.indices { documents[index].membership.insert(.groups) }
      return documents
    } catch {
      throw RunError(error.diagnostic)
    }
  }

  /// What is wrong with a file that is a scenario in the place of a policy; nil for any other file.
  public static func mistake(_ bytes: [UInt8], file: String) -> RunError? {
    guard file.hasSuffix(".yaml") || file.hasSuffix(".yml"),
      (try? Scenario.read(String(decoding: bytes, as: UTF8.self), file: file)) != nil
    else { return nil }
    return RunError(
      .file(file), "this is a scenario, not a policy; `sluice run \(file)` runs it", rule: "file")
  }

  /// Reads the policies of a file's contents.
  ///
  /// - Throws: ``RunError`` with the position of what is wrong.
  public static func read(_ bytes: [UInt8], file: String) throws(RunError) -> [PolicyDocument] {
    do {
      return try PolicyReader.read(bytes, file: file)
    } catch {
      throw RunError(error.diagnostic)
    }
  }
}
