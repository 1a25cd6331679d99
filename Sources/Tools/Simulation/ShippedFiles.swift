internal import Diagnostics
internal import Foundation

/// The files that ship with Sluice beside its programs.
package enum ShippedFiles {
  /// The path of a shipped folder: below `share` where `sluice` is installed in a `bin`, or beside `bin` in the
  /// sources.
  ///
  /// - Throws: ``RunError`` where there is no such folder.
  package static func folder(_ name: String, for programs: String) throws(RunError) -> String {
    let root = (programs as NSString).deletingLastPathComponent
    let places = ["\(root)/share/sluice/\(name)", "\(root)/\(name)"]
    if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
      return found
    }
    throw RunError(
      .command, "what ships as `\(name)` is neither in `\(places[0])` nor in `\(places[1])`",
      rule: "installation",
      fault: .own)
  }
}
