public import Foundation

/// The files of this repository that tests read and run.
public enum Repository {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `bin`, where `make build` puts the programs.
  public static let programs = root.appendingPathComponent("bin").path

  /// The path of a file that is named from the root.
  public static func path(_ file: String) -> String { root.appendingPathComponent(file).path }

  /// The scenarios that ship, named from the root, in alphabetical order.
  public static let scenarios: [String] = {
    let files = FileManager.default.enumerator(atPath: path("scenarios"))?.allObjects ?? []
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".yaml") }.sorted()
      .map { "scenarios/\($0)" }
  }()
}
