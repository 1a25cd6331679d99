import Foundation
import Output
import Testing
import TestSupport

@Suite struct OutputFileTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func write(_ text: String, to name: String) throws {
    try OutputFile.write(Array(text.utf8), to: folder.path(name))
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(lstat(folder.path(name), &status) == 0)
    return status
  }

  @Test func `a missing output file is created`() throws {
    try write("new", to: "a")
    #expect(try folder.read("a") == "new")
    #expect(try status("a").st_mode & 0o111 == 0)
  }

  @Test func `an output file is replaced and keeps its permissions`() throws {
    try folder.write("a longer old one", to: "a")
    chmod(folder.path("a"), 0o640)
    let old = try status("a").st_ino
    try write("new", to: "a")
    #expect(try folder.read("a") == "new")
    #expect(try status("a").st_mode & 0o777 == 0o640)
    #expect(try status("a").st_ino != old)
  }

  @Test(arguments: ["old", nil])
  func `if the output path is a symbolic link, the link is kept and its target is written`(
    old: String?
  ) throws {
    if let old { try folder.write(old, to: "a") }
    symlink("a", folder.path("link"))
    try write("new", to: "link")
    #expect(try folder.read("a") == "new")
    #expect(try status("link").st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `output to a file descriptor's path follows symbolic links`() throws {
    try folder.write("before\n", to: "a")
    let descriptor = open(folder.path("a"), O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(descriptor) }
    symlink("/proc/self/fd/\(descriptor)", folder.path("one"))
    symlink("one", folder.path("two"))
    try write("one\n", to: "one")
    try write("two\n", to: "two")
    try OutputFile.write(Array("three\n".utf8), to: "/dev/fd/\(descriptor)")
    #expect(try folder.read("a") == "before\none\ntwo\nthree\n")
    #expect(try status("one").st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a failed write of an output file leaves no file`() throws {
    try folder.write("old", to: "folder/a")
    #expect(throws: OutputError.self) { try write("new", to: "folder") }
    #expect(throws: OutputError.self) { try write("new", to: "none/a") }
    #expect(throws: OutputError.self) { try write("new", to: "") }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("folder"))
    #expect(left == ["a"])
  }
}
