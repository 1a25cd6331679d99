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
      for scenario in (try? ScenarioFiles.load([path])) ?? [] { add(scenario) }
    }
  }

  private mutating func add(_ scenario: Scenario) {
    let folder = Blueprint.folder(of: scenario.file)
    var named = scenario.apps.flatMap { [$0.executable, $0.path].compactMap(\.self) }
    let documents =
      scenario.policies.map(\.document) + scenario.configurations.map(\.document)
      + scenario.conditionalAccess.map(\.document)
    for document in documents {
      if case .file(let path) = document { named.append(path) }
    }
    named += [scenario.device.profile, scenario.device.declarations].compactMap(\.self)
    named += scenario.servers.map(\.folder)
    named += scenario.cases.flatMap(\.steps).flatMap(Self.declarations)
    for path in named { add(Blueprint.resolve(path, in: folder)) }
  }

  /// The folders of declarations that a step applies.
  private static func declarations(of step: Step) -> [String] {
    switch step.action {
    case .declarations(let folder): [folder.path].compactMap(\.self)
    case .concurrently(let concurrency): concurrency.steps.flatMap(declarations)
    default: []
    }
  }

  /// Adds a file, or all files below a folder.
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
