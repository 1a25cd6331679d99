internal import Foundation

/// A journal that a command line names.
enum JournalArgument {
  /// The journal's path: in a device's folder it has its name.
  static func path(_ argument: String) -> String {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? "\(argument)/journal.jsonl" : argument
  }

  /// The paths of all journals that the argument means: one or, of a folder that a run left, that of each case.
  static func paths(_ argument: String) -> [String] {
    let files = FileManager.default
    let path = path(argument)
    guard path != argument, !files.fileExists(atPath: path) else { return [path] }
    let names = (try? files.contentsOfDirectory(atPath: argument)) ?? []
    let devices = names.sorted { ($0.count, $0) < ($1.count, $1) }
      .map { "\(argument)/\($0)/journal.jsonl" }.filter { files.fileExists(atPath: $0) }
    let folder = "\(argument)/journals"
    let kept = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).sorted()
      .filter { $0.hasSuffix(".jsonl") }.map { "\(folder)/\($0)" }
    let found = devices + kept
    return found.isEmpty ? [path] : found
  }
}
