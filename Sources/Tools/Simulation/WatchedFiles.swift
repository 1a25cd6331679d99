internal import Foundation
internal import Scenario

/// What a run of scenarios reads, at one moment: once any of it has changed, a run may come to something else.
public struct WatchedFiles: Equatable {
  private var stamps: [String: Stamp] = [:]

  private struct Stamp: Equatable {
    var size: Int
    var modified: Date
  }

  /// - Parameter paths: scenario files and folders of them. What cannot be read yet is looked for again the next time.
  public init(of paths: [String]) {
    for path in paths {
      add(path)
      for scenario in (try? ScenarioFiles.load([path])) ?? [] { add(scenario) }
    }
  }

  private mutating func add(_ scenario: Scenario) {
    let folder = scenario.file.lastIndex(of: "/").map { String(scenario.file[...$0]) } ?? ""
    var named = scenario.apps.flatMap { [$0.executable, $0.path].compactMap(\.self) }
    for policy in scenario.policies {
      if case .file(let path) = policy.document { named.append(path) }
    }
    for configuration in scenario.configurations {
      if case .file(let path) = configuration.document { named.append(path) }
    }
    if let profile = scenario.device.profile { named.append(profile) }
    for path in named { add(Blueprint.resolve(path, in: folder)) }
  }

  /// A file, or all files below a folder.
  private mutating func add(_ path: String) {
    stamp(path)
    for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
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
