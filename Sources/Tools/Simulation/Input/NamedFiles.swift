internal import Encodings
internal import Foundation
internal import Output
package import Scenario

extension Scenario {
  /// Checks that the files and folders of the scenario's device exist. These are the tenant, policies, configurations,
  /// the profile, declarations, bundles, folders of servers, and the files and folders that steps name.
  ///
  /// - Throws: ``RunError`` with the scenario's line for each missing file.
  func checkDocuments(in folder: String) throws(RunError) {
    let device = self.device
    let named =
      [tenant].compactMap(\.self) + documentFiles + apps.compactMap(\.path)
      + [device.profile, device.declarations].compactMap(\.self) + servers.map(\.folder)
      + steps.compactMap(\.namedFile)
    var known: Set<String> = []
    let missing = named.filter { path in
      known.insert(path).inserted
        && !FileManager.default.fileExists(atPath: ScenarioFiles.resolve(path, in: folder))
    }
    guard missing.isEmpty else {
      throw RunError(missing.map { diagnostic(ofMissing: $0, in: folder) })
    }
  }

  private func diagnostic(ofMissing path: String, in folder: String) -> Diagnostic {
    let place = filePositions[path].map { Diagnostic.Location.file(file, $0) } ?? .file(file)
    let parent = (path as NSString).deletingLastPathComponent
    let resolved = ScenarioFiles.resolve(parent.isEmpty ? "." : parent, in: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: resolved)) ?? []
    let nearest = Suggestion.word(for: (path as NSString).lastPathComponent, among: names.sorted())
    let hint = nearest.map { Suggestion.text((parent as NSString).appendingPathComponent($0)) }
    return Diagnostic(
      place,
      "there is no file or folder `\(path)`"
        + (hint ?? (folder.isEmpty || path.hasPrefix("/") ? "" : " in `\(folder)`")),
      rule: "file")
  }

  private var documentFiles: [String] {
    let documents =
      policies.map(\.document) + configurations.map(\.document)
      + conditionalAccess.map(\.document)
    return documents.compactMap { document in
      switch document {
      case .file(let path): path
      case .inline: nil
      }
    }
  }

  /// The regular files that a run of the scenario reads: the scenario itself, the files that it names, and
  /// all files below folders that it names.
  package var inputFiles: [String] {
    let folder = ScenarioFiles.folder(of: file)
    return [file]
      + namedFiles.flatMap { InputFolder.files(at: ScenarioFiles.resolve($0, in: folder)) }
  }

  /// The files and folders that the scenario names, as written. They might not exist.
  package var namedFiles: [String] {
    var named = apps.flatMap { [$0.executable, $0.path].compactMap(\.self) } + documentFiles
    named += [tenant].compactMap(\.self)
    named += ([device] + devices.map(\.device)).flatMap {
      [$0.profile, $0.declarations].compactMap(\.self)
    }
    named += servers.map(\.folder)
    return named
      + steps.compactMap(\.namedFile)
  }

  private var steps: [any StepDetail] {
    cases.flatMap(\.steps).flatMap(\.parts).map(\.action.detail)
  }
}

// MARK: - Changes

/// The state of all files that a run of scenarios reads. A change of any file can change the outcome.
package struct WatchedFiles: Equatable {
  private var stamps: [String: Stamp] = [:]

  private struct Stamp: Equatable {
    var size: Int
    var modified: Date
  }

  /// Records the current state of the files.
  ///
  /// - Parameter paths: Scenario files, or folders with scenario files. The files that a scenario names are recorded
  ///   only if the scenario can be read.
  package init(of paths: [String]) {
    for path in paths {
      add(path)
      for scenario in (try? ScenarioFiles.load([path])) ?? [] {
        for file in scenario.inputFiles { stamp(file) }
      }
    }
  }

  /// Returns the files that were written, added or removed since `before`, ordered by name.
  package func changes(since before: WatchedFiles) -> [String] {
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

// MARK: Cited files

/// The files whose text a page may show, among the files that verdicts and scenarios cite.
///
/// A journal from an untrusted source may name any file, and a page may be passed on. If a journal names the files, a
/// page therefore shows only policies, scenarios and property lists below one folder.
package struct CitedFiles: Sendable {
  private let reach: Reach

  /// The location of the files that may be shown.
  package enum Reach: Sendable {
    /// Files below a folder. Their paths are relative to the folder.
    case below(String)
    /// All files, because the tool itself has read them.
    case anywhere
  }

  /// The maximum size of a shown file, in bytes.
  private static let longest = 1 << 20
  private static let endings: Set = ["json", "yaml", "yml", "plist", "mobileconfig", "xml"]

  package init(_ reach: Reach) { self.reach = reach }

  /// Returns the text of a file; nil if it does not exist, may not be shown, or is too large.
  package func text(of path: String) -> String? {
    guard let place = location(of: path),
      Self.endings.contains((place as NSString).pathExtension.lowercased()),
      let attributes = try? FileManager.default.attributesOfItem(atPath: place),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int, size <= Self.longest,
      let data = FileManager.default.contents(atPath: place)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the path of the file with links resolved; nil if it does not exist or may not be shown.
  private func location(of path: String) -> String? {
    switch reach {
    case .anywhere: return path.realPath
    case .below(let folder):
      guard !path.hasPrefix("/"), let folder = folder.realPath,
        let place = "\(folder)/\(path)".realPath,
        // Compare bytes: different names can be canonically equivalent.
        place.utf8.starts(with: "\(folder)/".utf8)
      else { return nil }
      let parts = place.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/"))
      return parts.contains { $0.first == UInt8(ascii: ".") } ? nil : place
    }
  }
}
