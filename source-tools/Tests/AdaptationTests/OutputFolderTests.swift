import Adaptation
import Foundation
import SwiftSources
import Testing

@Suite struct OutputFolderTests {
  /// A temporary folder with the source `in/a.swift`. It is deleted together with this object.
  final class Place {
    let path = FileManager.default.temporaryDirectory.path + "/sluice-code-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path + "/in/sub", withIntermediateDirectories: true)
      try write("old", to: "in/a.swift")
      try write("old", to: "in/sub/b.swift")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
      try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: "\(path)/\(name)").map {
        String(decoding: $0, as: UTF8.self)
      }
    }

    /// Adapts each source below `in` to `new`, and writes the results into a folder.
    func adapt(into folder: String, force: Bool = false) throws {
      let list = try SourceList([path + "/in"])
      try OutputFolder("\(path)/\(folder)", replacesFiles: force)
        .write(list.entries.map { ($0.relativePath, Array("new".utf8)) }, of: list)
    }
  }

  @Test func `adapted output is not written through an existing symbolic link`() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.path + "/out", withIntermediateDirectories: true)
    try place.write("precious", to: "victim")
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/out/a.swift.sluice-code",
      withDestinationPath: place.path + "/victim")
    try place.adapt(into: "out")
    #expect(place.text("out/a.swift") == "new")
    #expect(place.text("victim") == "precious")
  }

  @Test func `adapted files keep their relative paths`() throws {
    let place = try Place()
    try place.adapt(into: "out")
    #expect(place.text("out/a.swift") == "new")
    #expect(place.text("out/sub/b.swift") == "new")
    #expect(place.text("in/a.swift") == "old")
    // A second run changes nothing.
    try place.adapt(into: "out")
  }

  @Test func `an existing output file that differs is replaced only if forced`() throws {
    let place = try Place()
    try place.adapt(into: "out")
    try place.write("mine", to: "out/sub/b.swift")
    try FileManager.default.removeItem(atPath: place.path + "/out/a.swift")
    #expect(throws: SourceError.self) { try place.adapt(into: "out") }
    #expect(place.text("out/a.swift") == nil)
    #expect(place.text("out/sub/b.swift") == "mine")
    try place.adapt(into: "out", force: true)
    #expect(place.text("out/sub/b.swift") == "new")
  }

  @Test func `if a file cannot be moved to its place, no file changes`() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.path + "/out", withIntermediateDirectories: true)
    try place.write("mine", to: "out/a.swift")
    let list = try SourceList([place.path + "/in"])
    // The folder of the last file takes the place of the one before.
    let names = ["a.swift", "b.swift", "c", "c/d.swift"]
    #expect(throws: SourceError.self) {
      try OutputFolder(place.path + "/out", replacesFiles: true)
        .write(names.map { ($0, Array("new".utf8)) }, of: list)
    }
    #expect(place.text("out/a.swift") == "mine")
    let left = try FileManager.default.subpathsOfDirectory(atPath: place.path + "/out")
    #expect(left.sorted() == ["a.swift", "c"])
  }

  @Test(arguments: ["in", "in/out", "in/../in", "out"])
  func `adapted output never overwrites sources`(folder: String) throws {
    let place = try Place()
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/out", withDestinationPath: place.path + "/in")
    #expect(throws: SourceError.self) { try place.adapt(into: folder, force: true) }
    #expect(place.text("in/a.swift") == "old")
  }

  @Test func `two sources with one output path are an error`() throws {
    let place = try Place()
    let list = try SourceList([place.path + "/in"])
    #expect(throws: SourceError.self) {
      try OutputFolder(place.path + "/out", replacesFiles: false)
        .write([("a.swift", []), ("a.swift", [1])], of: list)
    }
  }
}
