package import AppConfiguration
internal import Bundle
internal import Encodings
internal import Foundation
internal import GraphDocuments
internal import Model
internal import Output
package import Policy
package import Scenario

/// Scenario files, found at paths that a user names.
package enum ScenarioFiles {
  /// Reads the scenarios at `paths`. A path names a file, or a folder that is searched for `.yaml` and `.yml` files.
  ///
  /// The files of a folder are ordered by name. All files are read before anything runs.
  ///
  /// - Throws: ``RunError`` that names each path without a scenario, or each file that is not a scenario.
  package static func load(_ paths: [String]) throws(RunError) -> [Scenario] {
    let files = try RunError.collecting(paths, files(in:)).flatMap(\.self)
    return try RunError.collecting(files, read)
  }

  /// Reads a scenario file; `-` is standard input.
  package static func read(_ file: String) throws(RunError) -> Scenario {
    try scenario(in: text(of: file), file: file)
  }

  /// Returns the text of a scenario file; `-` is standard input, which is read to its end.
  package static func text(of file: String) throws(RunError) -> String {
    file == "-" ? try InputFile.standardInput() : try InputFile.documentText(file)
  }

  /// Parses the text of a scenario file. If the text is a policy, the error suggests the commands that read policies.
  package static func scenario(in text: String, file: String) throws(RunError) -> Scenario {
    do throws(ScenarioErrors) {
      return try Scenario.read(text, file: file)
    } catch {
      guard (try? PolicyFiles.read(Array(text.utf8), file: file)) == nil else {
        throw RunError(
          .file(file), "this is a policy, not a scenario; \(readersOfPolicies)", rule: "file")
      }
      throw RunError(error)
    }
  }

  /// Returns whether a file is a scenario: its name ends with `.yaml` or `.yml`, and its contents are valid.
  package static func isScenario(_ bytes: [UInt8], file: String) -> Bool {
    (file.hasSuffix(".yaml") || file.hasSuffix(".yml"))
      && (try? Scenario.read(String(decoding: bytes, as: UTF8.self), file: file)) != nil
  }

  private static let readersOfPolicies =
    "`sluice policy show` and `sluice policy lint` read it, `sluice leaks --apps` searches it, and a scenario names it in `policies`"

  /// Returns the scenario files at a path, ordered by name.
  package static func files(in path: String) throws(RunError) -> [String] {
    guard let folder = InputFolder(path) else {
      guard path == "-" || FileManager.default.fileExists(atPath: path) else {
        throw RunError(.path(path), "no such file or folder", rule: "file")
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
        .path(path),
        "the folder contains no scenario (`.yaml`)"
          + (hasPolicies ? ", but policies; \(readersOfPolicies)" : ""), rule: "file")
    }
    return found
  }

  /// Resolves a path relative to the scenario's folder. An absolute path is unchanged.
  package static func resolve(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  /// Returns the folder part of a file's path, with its last slash; empty if there is none.
  package static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }
}

// MARK: - Policies

package enum PolicyFiles {
  /// Loads the policies in files, and the policies for iOS below folders. Collects the errors of all files.
  package static func load(_ paths: [String]) throws(RunError) -> [PolicyDocument] {
    try RunError.collecting(paths, load).flatMap(\.self)
  }

  /// Loads the policies in a file, or the policies for iOS below a folder. Collects the errors of all files.
  package static func load(_ path: String) throws(RunError) -> [PolicyDocument] {
    guard let input = InputFolder(path) else {
      let bytes = try InputFile.document(path)
      if let mistake = mistake(bytes, file: path) { throw mistake }
      return try read(bytes, file: path)
    }
    let folder = ExportFolder(name: path)
    let files = try RunError.collecting(folder.candidates(among: input.names), input.read)
    do {
      var documents = try folder.policies(in: files, beside: input.scripts(of: folder))
      let assignments = folder.assignmentFiles(among: input.names)
        .compactMap { try? input.read($0) }
      folder.attach(assignments, to: &documents)
      return documents
    } catch {
      throw RunError(error.diagnostics)
    }
  }

  /// If the file is a scenario, returns the error that a policy was expected. Returns nil for any other file.
  package static func mistake(_ bytes: [UInt8], file: String) -> RunError? {
    guard ScenarioFiles.isScenario(bytes, file: file) else { return nil }
    return RunError(
      .file(file),
      "this is a scenario, not a policy; `sluice run \(file)` runs it, and `sluice leaks --scenario \(file)` searches "
        + "the flows that its policies allow", rule: "file")
  }

  package static func read(_ bytes: [UInt8], file: String) throws(RunError) -> [PolicyDocument] {
    do {
      return try PolicyReader.read(bytes, file: file)
    } catch {
      throw RunError(error.diagnostics)
    }
  }
}

// MARK: - App configurations

package enum ConfigurationFiles {
  /// Loads the configurations in files, and the configurations for iOS below folders. Collects the errors of all files.
  package static func load(_ paths: [String]) throws(RunError) -> [AppConfigurationDocument] {
    try RunError.collecting(paths, load).flatMap(\.self)
  }

  /// Loads the configurations in a file, or the configurations for iOS below a folder. Collects the errors of all
  /// files.
  package static func load(_ path: String) throws(RunError) -> [AppConfigurationDocument] {
    guard let input = InputFolder(path) else {
      let bytes = try InputFile.document(path)
      guard !ScenarioFiles.isScenario(bytes, file: path) else {
        throw RunError(
          .file(path), "this is a scenario, not an app configuration; `sluice run \(path)` runs it",
          rule: "file")
      }
      return try read(bytes, file: path)
    }
    let folder = AppConfigurationFolder(name: path)
    let files = try RunError.collecting(folder.candidates(among: input.names), input.read)
    do {
      let scripts = input.scripts(of: ExportFolder(name: path))
      return try folder.configurations(in: files, beside: scripts)
    } catch {
      throw RunError(error.diagnostics)
    }
  }

  package static func read(
    _ bytes: [UInt8], file: String
  ) throws(RunError) -> [AppConfigurationDocument] {
    do {
      return try AppConfigurationReader(file: file).read(bytes)
    } catch {
      throw RunError(error.diagnostics)
    }
  }
}
