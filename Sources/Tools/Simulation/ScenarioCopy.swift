internal import Foundation
internal import JSON
internal import Scenario

/// Copies scenarios, and what they name, below one folder, in the same places relative to one another.
final class ScenarioCopy {
  private let scenarios: [Scenario]
  private let target: String
  /// The folder that is being made, of which the target is a part.
  private var ownFolder: String? { (target as NSString).deletingLastPathComponent.real }
  /// The folder that all that is copied lies below.
  private let root: [String]
  private var copied: Set<String> = []
  /// What was not copied.
  private(set) var leftOut: [LeftOut] = []

  /// A file that was not copied.
  struct LeftOut {
    /// The path below the folder, or as a scenario names it.
    var path: String
    var why: Reason

    var text: String { "\(path): \(why.rawValue)" }

    enum Reason: String {
      case secret = "it may hold a secret"
      case hidden = "it is hidden"
      case link = "it is a link out of its folder, or to a folder"
      case special = "it is no file"
      case unreadable = "it cannot be read"
      case elsewhere = "the scenario names it by a path of this machine"
    }
  }

  init(of scenarios: [Scenario], to target: String) {
    self.scenarios = scenarios
    self.target = target
    let folders = scenarios.flatMap { scenario in
      ([scenario.ownPlace.path] + scenario.namedPlaces.map(\.path))
        .map { Array($0.split(separator: "/").dropLast()) }
    }
    let shared = folders.dropFirst().reduce(folders.first ?? []) { shared, folder in
      Array(zip(shared, folder).prefix { $0 == $1 }.map(\.0))
    }
    root = shared.map(String.init)
  }

  /// Copies all.
  ///
  /// - Throws: the system's error where something cannot be written.
  func run() throws {
    for scenario in scenarios { try copy(scenario) }
    for named in scenarios.flatMap(\.namedPlaces) { try copy(named.path) }
  }

  /// The scenario's path below the folder.
  func place(of scenario: Scenario) -> String { place(of: scenario.ownPlace.path) }

  private func place(of path: String) -> String {
    path.split(separator: "/").dropFirst(root.count).joined(separator: "/")
  }

  /// Copies a scenario, in which paths that hold on this machine alone become relative ones.
  private func copy(_ scenario: Scenario) throws {
    let path = scenario.ownPlace.path
    guard copied.insert(path).inserted else { return }
    var text = try InputFile.documentText(path)
    let depth = place(of: path).split(separator: "/").count - 1
    let up = String(repeating: "../", count: depth)
    let moved = scenario.namedPlaces.filter { !$0.isKept }
      .map { ($0.name, up + place(of: $0.path)) }
    text = text.replacingPaths(Dictionary(moved) { first, _ in first })
    if let copy = try? Scenario.read(text, file: scenario.file) {
      for name in copy.namedFiles where name.hasPrefix("/") {
        leftOut.append(LeftOut(path: name, why: .elsewhere))
      }
    }
    try make(place(of: path)) { try Data(text.utf8).write(to: $0) }
  }

  /// Copies a file or folder that a scenario names; what is not there ships with Sluice, or was not there before.
  private func copy(_ path: String) throws {
    guard copied.insert(path).inserted else { return }
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { return try copyFile(path) }
    try copyFolder(path)
  }

  private func copyFolder(_ path: String) throws {
    // What is being made is no part of what is copied.
    guard path.real != ownFolder else { return }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return leaveOut(path, .unreadable)
    }
    for name in names.sorted() {
      let inner = "\(path)/\(name)"
      guard !copied.contains(inner) else { continue }
      if name.hasPrefix(".") {
        leaveOut(inner, .hidden)
        continue
      }
      var status = stat()
      guard lstat(inner, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try copyFolder(inner)
      case S_IFLNK where !inner.isFile(within: path): leaveOut(inner, .link)
      default: try copyFile(inner)  // open: any other kind of file
      }
    }
  }

  private func copyFile(_ path: String) throws {
    copied.insert(path)
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return leaveOut(path, .special)
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      return leaveOut(path, .unreadable)
    }
    defer { try? handle.close() }
    guard try !holdsSecret(handle, path) else { return leaveOut(path, .secret) }
    try handle.seek(toOffset: 0)
    try make(place(of: path)) { url in
      guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
      }
      let copy = try FileHandle(forWritingTo: url)
      defer { try? copy.close() }
      while let piece = try handle.read(upToCount: Self.piece), !piece.isEmpty {
        try copy.write(contentsOf: piece)
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: Int(status.st_mode & 0o755)], ofItemAtPath: url.path)
    }
  }

  private static let piece = 1 << 20

  private func holdsSecret(_ handle: FileHandle, _ path: String) throws -> Bool {
    var search = SecretSearch(in: [path, path.real ?? path])
    while let piece = try handle.read(upToCount: Self.piece), !piece.isEmpty, !search.hasFound {
      search.look(at: piece)
    }
    return search.finish()
  }

  private func leaveOut(_ path: String, _ why: LeftOut.Reason) {
    leftOut.append(LeftOut(path: place(of: path), why: why))
  }

  private func make(_ place: String, _ body: (URL) throws -> Void) throws {
    let url = URL(fileURLWithPath: "\(target)/\(place)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try body(url)
  }
}

/// A file or folder that somebody names.
private struct NamedPlace {
  var name: String
  /// The path from the root of the machine.
  var path: String
  /// Whether the name leads there from the copied scenario, too.
  var isKept: Bool

  init(name: String, path: String) {
    self.name = name
    // `..` behind a link leads to another place than the words say.
    let isOdd = path.real != nil && path.real != path.standardized.real
    self.path = isOdd ? path.real ?? path : path.standardized
    isKept = !isOdd && !name.hasPrefix("/")
  }
}

extension Scenario {
  fileprivate var namedPlaces: [NamedPlace] {
    let folder = Blueprint.folder(of: file)
    return namedFiles.map { NamedPlace(name: $0, path: Blueprint.resolve($0, in: folder)) }
  }

  fileprivate var ownPlace: NamedPlace { NamedPlace(name: file, path: file) }
}

extension String {
  fileprivate var standardized: String { URL(fileURLWithPath: self).standardizedFileURL.path }

  /// The path without links; nil where nothing is there.
  fileprivate var real: String? {
    guard let path = realpath(self, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  /// Whether the path leads to a regular file below `folder`.
  fileprivate func isFile(within folder: String) -> Bool {
    var status = stat()
    guard let real, let folder = folder.real, real.hasPrefix(folder + "/") else { return false }
    return stat(real, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
