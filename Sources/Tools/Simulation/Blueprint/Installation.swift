internal import Bundle
internal import Foundation
package import Host
internal import Output
package import Scenario

/// The location of Sluice: the programs that devices start, and the files that ship with them.
///
/// In a source tree, programs are in `bin`, and shipped files beside `bin`. In an installation, `bin` contains only
/// `sluice`, the programs that devices start are in `libexec/sluice`, and shipped files in `share/sluice`.
package struct Installation {
  /// The folder of the programs that devices start.
  package let programs: String

  package init(programs: String) { self.programs = programs }

  /// The installation of this process's executable.
  package static var own: Installation {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = link.map { ($0 as NSString).deletingLastPathComponent } ?? "."
    let installed = (folder as NSString).deletingLastPathComponent + below
    let isInstalled =
      (folder as NSString).lastPathComponent == "bin"
      && FileManager.default.fileExists(atPath: installed + "/sluice-guest")
    return Installation(programs: isInstalled ? installed : folder)
  }

  private static let below = "/libexec/sluice"

  /// The folder that contains the folder of the programs and the shipped files.
  private var root: String {
    programs.hasSuffix(Self.below)
      ? String(programs.dropLast(Self.below.count))
      : (programs as NSString).deletingLastPathComponent
  }

  /// Returns the path of a shipped folder. A missing folder is an error.
  package func folder(_ name: String) throws(RunError) -> String {
    let places = ["\(root)/share/sluice/\(name)", "\(root)/\(name)"]
    if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
      return found
    }
    throw RunError(
      .command, "the file shipped as `\(name)` is neither in `\(places[0])` nor in `\(places[1])`",
      rule: "installation",
      origin: .own)
  }

  /// The path of the schema of scenarios; nil if the schema is not installed.
  package var scenarioSchema: String? {
    ["share/sluice/schema", "docs/schema"].map { "\(root)/\($0)/scenario.schema.json" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}

// MARK: - Programs

extension DeviceConfiguration.Programs {
  /// Returns the programs in `folder` or, if `folder` is nil, in this process's installation.
  package static func installed(in folder: String? = nil) -> DeviceConfiguration.Programs {
    let folder = folder ?? Installation.own.programs
    return DeviceConfiguration.Programs(
      guest: "\(folder)/sluice-guest", launch: "\(folder)/sluice-launch")
  }

  package var folder: String { (guest as NSString).deletingLastPathComponent }

  /// Whether the server program exists. Not every build includes it.
  private var hasServer: Bool { FileManager.default.isExecutableFile(atPath: server) }

  /// Returns a clause about a program that the scenario needs and that has not been built; nil if no program is
  /// missing.
  private func lack(of scenario: Scenario) -> String? {
    scenario.servers.isEmpty || hasServer
      ? nil : "`sluice-server` has not been built; run `make tls`"
  }

  /// Returns, for each case, a clause about a program that the case needs and that has not been built; nil if no
  /// program is missing.
  package func lacks(ofCasesIn scenario: Scenario) -> [String?] {
    let lack = lack(of: scenario)
    let unbuilt = scenario.apps.compactMap { unbuiltProgram(of: $0, in: scenario) }
    return scenario.cases.map { test in
      lack
        ?? unbuilt.first { $0.isNeeded(by: test) }.map {
          "`\($0.program)` has not been built; run `\($0.builder)`"
        }
    }
  }

  /// The programs of the bundles that ship with Sluice, each with the command that builds it. They are in the folder of
  /// Sluice's own programs. Users build the programs of their own bundles. An app without its program does not start.
  package static let ofBundles = [
    "note-keeper": "make", "save-note": "make", "shout": "make", "landmarks": "make tls",
  ]

  /// If the program of an app's bundle ships with Sluice but has not been built, returns the program; otherwise nil.
  private func unbuiltProgram(of app: AppDefinition, in scenario: Scenario) -> UnbuiltProgram? {
    // Preparing the scenario reports an unreadable bundle.
    guard !app.isReadyMade, app.executable == nil, let path = app.path,
      let bundle = try? BundleFolder(
        ScenarioFiles.resolve(path, in: ScenarioFiles.folder(of: scenario.file)),
        team: app.team ?? "",
        variables: app.buildVariables, programs: self),
      let program = bundle.executable.map({ $0 as NSString }),
      program.deletingLastPathComponent == folder,
      let builder = Self.ofBundles[program.lastPathComponent],
      !FileManager.default.isExecutableFile(atPath: program as String)
    else { return nil }
    return UnbuiltProgram(
      program: program.lastPathComponent, builder: builder, name: app.name,
      schemes: app.schemes + bundle.contents.info.schemes)
  }
}

/// A program that ships with Sluice but has not been built.
private struct UnbuiltProgram {
  var program: String
  /// The command that builds the program.
  var builder: String
  /// The app's name in steps. The names of its guests and runs are this name with a number appended.
  var name: String
  var schemes: [String]

  /// Returns whether a step of the case names the app or opens one of its URLs. A case that uses only extensions does
  /// not need the app that contains them.
  func isNeeded(by test: Case) -> Bool {
    test.steps.contains { step in
      // The description of a value contains all its texts in quotes.
      let words = "\(step.action)"
      return ["\"", "-", "#"].contains { words.contains("\"\(name)\($0)") }
        || schemes.contains { words.contains("\"\($0):") }
    }
  }
}
