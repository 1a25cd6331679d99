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

  /// Writes the package, with adapted copies of the sources: all of it, or nothing.
  ///
  /// - Throws: the exit status of the error, which is printed.
  func begin() throws {
    let adapted = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: adapted) }
    let prefix = folder == "." ? "" : "\(folder)/"
    guard !FileManager.default.fileExists(atPath: prefix + name) else {
      throw Failure.report(
        RunError(.path(prefix + name), "the folder exists; choose another name", rule: "file"))
    }
    let status: Int32
    var scaffold: Scaffold
    do throws(RunError) {
      status = try SourceTool.status(of: "adapt", sources + ["-o", adapted])
      scaffold = try self.scaffold()
      scaffold.files += try Self.files(in: adapted, below: Scaffold.sources(of: name))
    } catch {
      throw Failure.report(error)
    }
    guard status == 0 else { throw ExitCode(status) }
    try New.write(scaffold, in: folder, hint: "swift build --package-path \(prefix + name)")
  }

  /// The Swift files of a folder, as files of another one.
  private static func files(
    in folder: String, below target: String
  ) throws(RunError) -> [Scaffold.File] {
    try RunError.collecting(InputFolder(folder)?.names.sorted() ?? []) { name throws(RunError) in
      guard name.hasSuffix(".swift") else { return nil }
      return Scaffold.File(
        path: "\(target)/\(name)", text: try InputFile.text("\(folder)/\(name)"))
    }.compactMap(\.self)
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
    (InputFolder(path)?.names.map { "\(path)/\($0)" } ?? [path]).contains { path in
      guard path.hasSuffix(".swift") else { return false }
      if path.hasSuffix("/main.swift") || path == "main.swift" { return true }
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return text?.contains(/(?m)^\s*@(main|UIApplicationMain)\b/) ?? false
    }
  }

  /// Names that the package cannot have: those of what it is built with, and of its own test.
  static let taken: Set<String> = [
    "AppProcess", "Combine", "Foundation", "FoundationExtensions", "IntuneMAMSwift", "MSAL",
    "MobileCoreServices", "ScenarioTests", "Social", "Swift", "UIKit", "UniformTypeIdentifiers",
    "UserNotifications", "ios-modules", "sluice",
  ]
}
