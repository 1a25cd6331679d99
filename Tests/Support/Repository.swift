public import Foundation

/// The files of this repository that tests read and run.
public enum Repository {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `bin`, where `make build` puts the programs.
  public static let programs = root.appendingPathComponent("bin").path

  /// The path of a file that is named from the root.
  public static func path(_ file: String) -> String { root.appendingPathComponent(file).path }

  /// The text of a file that is named from the root.
  public static func read(_ file: String) throws -> String {
    try String(contentsOfFile: path(file), encoding: .utf8)
  }

  /// Whether there is a file or a folder, named from the root.
  public static func exists(_ file: String) -> Bool {
    FileManager.default.fileExists(atPath: path(file))
  }

  /// The files below a folder whose names end with `suffix`, named from the root, in alphabetical order.
  public static func files(in folder: String, suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: path(folder))?.allObjects ?? []
    return all.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
      .map { "\(folder)/\($0)" }
  }

  /// The scenarios that ship, named from the root, in alphabetical order.
  public static let scenarios = files(in: "scenarios", suffix: ".yaml")
}
