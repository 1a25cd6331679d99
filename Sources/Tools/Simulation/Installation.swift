internal import Diagnostics
internal import Foundation

/// Where Sluice is: the programs that devices start, and the files that ship with them.
///
/// From sources, programs are in `bin`, and shipped files beside it. Installed, `bin` has `sluice` alone, the programs that
/// devices start are in `libexec/sluice`, and shipped files in `share/sluice`.
package struct Installation {
  /// The folder of the programs that devices start.
  package let programs: String

  /// What is installed around a folder of programs.
  package init(programs: String) { self.programs = programs }

  /// What this process's executable belongs to.
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

  /// The folder that all is below.
  private var root: String {
    programs.hasSuffix(Self.below)
      ? String(programs.dropLast(Self.below.count))
      : (programs as NSString).deletingLastPathComponent
  }

  /// The path of a shipped folder.
  ///
  /// - Throws: ``RunError`` where there is no such folder.
  package func folder(_ name: String) throws(RunError) -> String {
    let places = ["\(root)/share/sluice/\(name)", "\(root)/\(name)"]
    if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
      return found
    }
    throw RunError(
      .command, "what ships as `\(name)` is neither in `\(places[0])` nor in `\(places[1])`",
      rule: "installation",
      fault: .own)
  }

  /// The path of the schema of scenarios; nil where it is not installed.
  package var scenarioSchema: String? {
    ["share/sluice/schema", "docs/schema"].map { "\(root)/\($0)/scenario.schema.json" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}
