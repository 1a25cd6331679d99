internal import Foundation
internal import Output
public import SwiftSources

/// The output folder for adapted files.
public struct OutputFolder: Sendable {
  private let path: String
  private let replacesFiles: Bool

  /// Creates a reference to a folder. The folder need not exist, because it is created when files are written.
  ///
  /// - Parameter replacesFiles: Whether an existing file is replaced if its contents differ. If false, such a file is
  ///   an error.
  public init(_ path: String, replacesFiles: Bool) {
    self.path = path
    self.replacesFiles = replacesFiles
  }

  /// Writes each of `files` to its path relative to the folder.
  ///
  /// - Throws: ``SourceError`` if one of the files must not or cannot be written. In this case, no file is changed.
  public func write(
    _ files: [(relativePath: String, contents: [UInt8])], of list: SourceList
  ) throws(SourceError) {
    try checkPlace(of: list)
    try checkNames(files.map(\.relativePath))
    for file in files { try check(place(of: file.relativePath), file.contents, list) }
    var written: [WrittenFile] = []
    do throws(SourceError) {
      for file in files where !holds(place(of: file.relativePath), file.contents) {
        written.append(WrittenFile(at: place(of: file.relativePath)))
        try written[written.count - 1].prepare(file.contents)
      }
      for index in written.indices { try written[index].replace() }
    } catch {
      for file in written.reversed() { file.restore() }
      throw error
    }
    for file in written { file.removeCopies() }
  }

  private func place(of relativePath: String) -> String {
    (path.hasSuffix("/") ? path : path + "/") + relativePath
  }

  /// Rejects an output folder inside a source folder, because the next run would read the adapted
  /// files as sources.
  private func checkPlace(of list: SourceList) throws(SourceError) {
    let own = resolved(path)
    for folder in list.folders where (own + "/").hasPrefix(resolved(folder) + "/") {
      throw SourceError(
        path, "is inside the source folder `\(folder)`; choose another folder", rule: "output")
    }
  }

  /// Returns the path with its symbolic links resolved. If the path does not exist, its nearest
  /// existing parent is resolved.
  private func resolved(_ path: String) -> String {
    var url = URL(fileURLWithPath: path).standardizedFileURL
    var rest: [String] = []
    while !FileManager.default.fileExists(atPath: url.path), url.path != "/" {
      rest.insert(url.lastPathComponent, at: 0)
      url.deleteLastPathComponent()
    }
    return rest.reduce(url.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }.path
  }

  private func checkNames(_ names: [String]) throws(SourceError) {
    let twice = Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.min()
    guard let twice else { return }
    throw SourceError(
      place(of: twice), "two sources would be written to this path; rename one of them",
      rule: "output")
  }

  private func check(
    _ place: String, _ contents: [UInt8], _ list: SourceList
  ) throws(SourceError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else { return }
    guard !isFolder.boolValue else {
      throw SourceError(place, "is a folder; expected a file", rule: "output")
    }
    if list.entries.contains(where: { resolved($0.path) == resolved(place) }) {
      throw SourceError(
        place, "is a source, which is never overwritten; choose another folder", rule: "output")
    }
    if !replacesFiles, !holds(place, contents) {
      throw SourceError(
        place, "already exists with different contents; remove it, or use `--force`", rule: "output"
      )
    }
  }

  private func holds(_ place: String, _ contents: [UInt8]) -> Bool {
    FileManager.default.contents(atPath: place).map { $0.elementsEqual(contents) } ?? false
  }
}

/// A file that is first written under a temporary name in its folder, and then moved to its path.
private struct WrittenFile {
  private let place: String
  /// The temporary path of the new file, before it is moved.
  private let temporary: String
  /// The path of a copy of the replaced file.
  private let former: String
  private var hasFormer = false
  private var isReplaced = false

  init(at place: String) {
    self.place = place
    temporary = place + ".sluice-code"
    former = place + ".sluice-code-former"
  }

  /// Writes the new file to its temporary path, and copies the file that it will replace.
  mutating func prepare(_ contents: [UInt8]) throws(SourceError) {
    let files = FileManager.default
    do {
      try files.createDirectory(
        at: URL(fileURLWithPath: place).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      // Remains of an interrupted run are removed, and symbolic links are never written through.
      removeCopies()
      try Data(contents).write(to: URL(fileURLWithPath: temporary), options: .withoutOverwriting)
      if (try? files.attributesOfItem(atPath: place)) != nil {
        try files.copyItem(atPath: place, toPath: former)
        hasFormer = true
      }
    } catch {
      throw SourceError(place, "cannot be written: \(error.localizedDescription)", rule: "output")
    }
  }

  mutating func replace() throws(SourceError) {
    guard rename(temporary, place) == 0 else {
      throw SourceError(
        place, "cannot be written: \(String(cString: strerror(errno)))", rule: "output")
    }
    isReplaced = true
  }

  /// Moves the replaced file back, and removes the new file. If the replaced file cannot be moved back, its copy is
  /// kept.
  func restore() {
    if isReplaced {
      guard hasFormer else { return remove(place) }
      guard rename(former, place) == 0 else { return }
    }
    removeCopies()
  }

  func removeCopies() {
    remove(temporary)
    remove(former)
  }

  private func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
