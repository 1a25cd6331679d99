internal import Foundation
internal import Scenario

/// The state of all files that a run of scenarios reads: once any of them has changed, a run may have another outcome.
public struct WatchedFiles: Equatable {
  private var stamps: [String: Stamp] = [:]

  private struct Stamp: Equatable {
    var size: Int
    var modified: Date
  }

  /// Notes the state of the files now.
  ///
  /// - Parameter paths: scenario files and folders of them. What cannot be read yet is looked for again the next time.
  public init(of paths: [String]) {
    for path in paths {
      add(path)
      for scenario in (try? ScenarioFiles.load([path])) ?? [] {
        for file in scenario.inputFiles { stamp(file) }
      }
    }
  }

  /// The files that were written, added or removed since `before`, in the order of their names.
  public func changes(since before: WatchedFiles) -> [String] {
    Set(stamps.keys).union(before.stamps.keys)
      .filter { stamps[$0] != before.stamps[$0] }.sorted()
  }

  /// Adds a file, or all files below a folder.
  private mutating func add(_ path: String) {
    stamp(path)
    for name in InputFolder.visible(below: path) {
      stamp("\(path)/\(name)")
    }
  }

  private mutating func stamp(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    stamps[path] = Stamp(
      size: (attributes[.size] as? Int) ?? 0,
      modified: (attributes[.modificationDate] as? Date) ?? .distantPast)
  }
}
