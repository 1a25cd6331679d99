public import Foundation

/// Files of this repository that tests read and run.
public enum Repository {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder `bin`, in which `make build` places the programs.
  public static let programs = root.appendingPathComponent("bin").path

  /// Returns the absolute path of a file, given relative to the repository root.
  public static func path(_ file: String) -> String { root.appendingPathComponent(file).path }

  /// Returns the text of a file, given relative to the repository root.
  public static func read(_ file: String) throws -> String {
    try String(contentsOfFile: path(file), encoding: .utf8)
  }

  /// Returns the bytes of a file in `Tests/Samples`; none if there is no such file.
  public static func sample(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: path("Tests/Samples/\(name)")).map(Array.init) ?? []
  }

  /// Returns whether a file or folder exists, given relative to the repository root.
  public static func exists(_ file: String) -> Bool {
    FileManager.default.fileExists(atPath: path(file))
  }

  /// Returns the files below a folder whose names end with `suffix`, sorted, relative to the repository root.
  public static func files(in folder: String, suffix: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: path(folder))?.allObjects ?? []
    return all.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
      .map { "\(folder)/\($0)" }
  }

  /// The scenarios of the repository, sorted, relative to its root.
  public static let scenarios = files(in: "scenarios", suffix: ".yaml")
}
