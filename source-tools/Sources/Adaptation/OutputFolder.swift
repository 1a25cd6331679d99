internal import Foundation
internal import Output
public import SwiftSources

/// The output folder for adapted files.
public struct OutputFolder: Sendable {
  private let path: String
  private let replacesFiles: Bool

  /// Creates a reference to a folder. The folder need not exist; it is created when files are
  /// written.
  ///
  /// - Parameter replacesFiles: Whether existing files with other contents are replaced.
  public init(_ path: String, replacesFiles: Bool) {
    self.path = path
    self.replacesFiles = replacesFiles
  }

  /// Writes each of `files` to its relative path.
  ///
  /// - Throws: ``SourceError`` if a file must not or cannot be written. Unless renaming fails, no file has then
  ///   changed.
  public func write(
    _ files: [(relativePath: String, contents: [UInt8])], of list: SourceList
  ) throws(SourceError) {
    try checkPlace(of: list)
    try checkNames(files.map(\.relativePath))
    for file in files { try check(place(of: file.relativePath), file.contents, list) }
    var written: [(temporary: String, place: String)] = []
    do {
      for file in files where !holds(place(of: file.relativePath), file.contents) {
        let place = place(of: file.relativePath)
        written.append((place + ".sluice-code", place))
        try write(file.contents, to: place + ".sluice-code", beside: place)
      }
      for file in written { try rename(file.temporary, to: file.place) }
    } catch {
      for file in written { try? FileManager.default.removeItem(atPath: file.temporary) }
      throw error
    }
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
    throw SourceError(place(of: twice), "two sources have this output path", rule: "output")
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

  private func write(
    _ contents: [UInt8], to temporary: String, beside place: String
  ) throws(SourceError) {
    do {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: place).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      // Remains of an interrupted run are removed, and symbolic links are never written through.
      try? FileManager.default.removeItem(atPath: temporary)
      try Data(contents).write(to: URL(fileURLWithPath: temporary), options: .withoutOverwriting)
    } catch {
      throw SourceError(place, "cannot be written: \(error.localizedDescription)", rule: "output")
    }
  }

  private func rename(_ temporary: String, to place: String) throws(SourceError) {
    guard Foundation.rename(temporary, place) == 0 else {
      throw SourceError(
        place, "cannot be written: \(String(cString: strerror(errno)))", rule: "output")
    }
  }
}
