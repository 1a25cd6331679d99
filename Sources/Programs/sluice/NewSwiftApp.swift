internal import ArgumentParser
internal import Diagnostics
internal import Foundation
internal import Scenario
internal import Simulation

/// A package around Swift sources that there are already.
struct NewSwiftApp {
  let name: String
  let bundle: String
  let sources: [String]
  let folder: String

  /// Writes the package, with adapted copies of the sources; where one of them cannot be read, nothing.
  ///
  /// - Throws: the exit status of the error, which is printed.
  func begin() throws {
    let scaffold: Scaffold
    do throws(RunError) {
      scaffold = try self.scaffold()
    } catch {
      throw Failure.report(error)
    }
    let prefix = folder == "." ? "" : "\(folder)/"
    guard !FileManager.default.fileExists(atPath: prefix + name) else {
      throw Failure.report(
        RunError(.path(prefix + name), "the folder exists; choose another name", rule: "file"))
    }
    let status = SourceTool.run("adapt", sources + ["-o", prefix + Scaffold.sources(of: name)])
    guard status == .success else { throw status }
    try New.write(scaffold, in: folder, hint: "swift build --package-path \(prefix + name)")
  }

  private func scaffold() throws(RunError) -> Scaffold {
    let modules = try Installation.own.folder("ios-modules")
    return Scaffold(
      app: name, bundle: bundle,
      from: Scaffold.SwiftSources(
        modules: URL(fileURLWithPath: modules).standardizedFileURL.path,
        sluice: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
        hasEntry: sources.contains(where: Self.hasEntry)))
  }

  /// Whether a file, or one below a folder, says where the program begins.
  private static func hasEntry(_ path: String) -> Bool {
    let below = FileManager.default.subpaths(atPath: path)?.map { "\(path)/\($0)" }
    return (below ?? [path]).contains { path in
      guard path.hasSuffix(".swift") else { return false }
      if path.hasSuffix("/main.swift") || path == "main.swift" { return true }
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return text?.contains(/@(main|UIApplicationMain)\b/) ?? false
    }
  }
}
