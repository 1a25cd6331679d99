internal import Foundation

/// A journal that a command line names.
enum JournalArgument {
  /// The journal's path: in a device's folder it has its name.
  static func path(_ argument: String) -> String {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? "\(argument)/journal.jsonl" : argument
  }
}
