internal import Diagnostics
internal import Foundation
internal import JSON
public import Scenario

/// Scenario files, found below paths that a user names.
public enum ScenarioFiles {
  /// Reads the scenarios of `paths`, each a file or a folder that is searched for `.yaml` and `.yml`.
  ///
  /// Files of folders come in the order of their names. All files are read before anything runs.
  ///
  /// - Throws: ``RunError`` that names each path that leads to no scenario, or each file that is none.
  public static func load(_ paths: [String]) throws(RunError) -> [Scenario] {
    let files = try RunError.collecting(paths, files(in:)).flatMap(\.self)
    return try RunError.collecting(files, read)
  }

  /// Reads a scenario; `-` stands for standard input.
  ///
  /// - Throws: ``RunError`` where the file cannot be read, or is no scenario.
  public static func read(_ file: String) throws(RunError) -> Scenario {
    try scenario(in: text(of: file), file: file)
  }

  /// The text of a scenario; `-` stands for standard input, which is read to its end.
  ///
  /// - Throws: ``RunError`` where the file cannot be read.
  public static func text(of file: String) throws(RunError) -> String {
    file == "-" ? try InputFile.standardInput() : try InputFile.documentText(file)
  }

  /// The scenario that a file's text says.
  ///
  /// - Throws: ``RunError`` where it is no scenario.
  public static func scenario(in text: String, file: String) throws(RunError) -> Scenario {
    do throws(ScenarioError) {
      return try Scenario.read(text, file: file)
    } catch {
      guard (try? PolicyFiles.read(Array(text.utf8), file: file)) == nil else {
        throw RunError(
          .file(file), "this is a policy, not a scenario; \(readersOfPolicies)", rule: "file")
      }
      throw RunError(error.diagnostic)
    }
  }

  private static let readersOfPolicies =
    "`sluice policy show` and `sluice policy lint` read it, `sluice leaks --apps` searches it, and a scenario names it in `policies`"

  /// The scenario files that a path stands for, in the order of their names.
  static func files(in path: String) throws(RunError) -> [String] {
    guard let folder = InputFolder(path) else {
      guard path == "-" || FileManager.default.fileExists(atPath: path) else {
        throw RunError(.file(path), "no such file or folder", rule: "file")
      }
      return [path]
    }
    var found: [String] = []
    for name in folder.names.filter({ $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }).sorted() {
      found.append(try folder.file(name))
    }
    guard !found.isEmpty else {
      let hasPolicies = (try? PolicyFiles.load(path))?.isEmpty == false
      throw RunError(
        .file(path),
        "the folder holds no scenario (`.yaml`)"
          + (hasPolicies ? ", but policies; \(readersOfPolicies)" : ""), rule: "file")
    }
    return found
  }
}
