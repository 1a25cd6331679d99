import Foundation
import TestSupport
import Testing

@testable import Host

@Suite struct ContainerFolderTests {
  typealias Resolution = ContainerFolder.Resolution

  static let resolutions: [Resolution] = [.kernel, .stepwise]

  private static func open(_ resolution: Resolution) throws -> (Playground, ContainerFolder) {
    let playground = try Playground()
    return (playground, try playground.folder(resolution))
  }

  private func code(_ body: () throws -> Void) -> Int32? {
    do {
      try body()
      return nil
    } catch let error as ContainerError {
      return error.code
    } catch {
      return -1
    }
  }

  private func contents(_ descriptor: Int32) -> String {
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
  }

  @Test(arguments: resolutions)
  func `a file in a container is created in new folders, written, read and removed`(
    _ resolution: Resolution
  ) throws {
    let (playground, folder) = try Self.open(resolution)
    let path = "a/./b//c.txt".bytes
    try folder.makeFolders(for: path)
    try folder.makeFolders(for: path)
    let created = try folder.open(path, O_WRONLY | O_CREAT | O_EXCL)
    FileHandle(fileDescriptor: created, closeOnDealloc: true).write(Data("hello".utf8))
    #expect(contents(try folder.open("a/b/c.txt".bytes, O_RDONLY)) == "hello")
    #expect(code { _ = try folder.open(path, O_WRONLY | O_CREAT | O_EXCL) } == EEXIST)
    try folder.unlink(path)
    #expect(!playground.has("a/b/c.txt"))
    #expect(code { try folder.unlink(path) } == ENOENT)
  }

  @Test(arguments: resolutions)
  func `paths that lead out of the container are rejected with EXDEV`(_ resolution: Resolution)
    throws
  {
    let (playground, folder) = try Self.open(resolution)
    try playground.write("x", to: "sub/x")
    for path in [
      "../outside/kept.txt", "sub/../../outside/kept.txt", "/etc/passwd", "a\0b", "..",
      "sub/../sub/x",
    ] {
      #expect(code { _ = try folder.open(path.bytes, O_RDONLY) } == EXDEV, "\(path)")
      #expect(code { try folder.unlink(path.bytes) } == EXDEV, "\(path)")
      #expect(code { try folder.makeFolders(for: path.bytes) } == EXDEV, "\(path)")
      #expect(code { _ = try folder.kind(of: path.bytes) } == EXDEV, "\(path)")
      #expect(code { try folder.rename(from: "sub/x".bytes, to: path.bytes) } == EXDEV, "\(path)")
    }
    #expect(playground.isOutsideIntact)
  }

  @Test(arguments: resolutions)
  func `file links, folder links and dangling links in a container are not followed`(
    _ resolution: Resolution
  ) throws {
    let (playground, folder) = try Self.open(resolution)
    try playground.link("file", to: "../outside/kept.txt")
    try playground.link("folder", to: "../outside")
    try playground.link("absolute", to: playground.outside)
    try playground.link("dangling", to: "../outside/new.txt")
    try playground.write("x", to: "mine")
    for name in ["file", "folder/kept.txt", "absolute/kept.txt", "dangling"] {
      for flags in [O_RDONLY, O_RDWR, O_WRONLY | O_TRUNC, O_WRONLY | O_CREAT] {
        #expect(code { _ = try folder.open(name.bytes, flags) } == ELOOP, "\(name) \(flags)")
      }
    }
    for name in ["folder/new", "absolute/kept.txt"] {
      #expect(code { try folder.unlink(name.bytes) } == ELOOP)
      #expect(code { try folder.rename(from: "mine".bytes, to: name.bytes) } == ELOOP)
      #expect(code { try folder.makeFolders(for: "\(name)/x".bytes) } == ELOOP)
      #expect(code { _ = try folder.kind(of: name.bytes) } == ELOOP)
    }
    for name in ["file", "folder", "absolute", "dangling"] {
      #expect(try folder.kind(of: name.bytes) == .link)
      try folder.unlink(name.bytes)
      #expect(try folder.kind(of: name.bytes) == .missing)
    }
    #expect(playground.isOutsideIntact)
  }

  @Test(arguments: resolutions)
  func `opening a special file fails without blocking`(_ resolution: Resolution) throws {
    let (playground, folder) = try Self.open(resolution)
    try playground.write("x", to: "sub/x")
    #expect(mkfifo("\(playground.container)/pipe", 0o600) == 0)
    #expect(code { _ = try folder.open("sub".bytes, O_RDONLY) } == EISDIR)
    #expect(code { _ = try folder.open("".bytes, O_RDONLY) } == EISDIR)
    for flags in [O_RDONLY, O_RDWR] {
      #expect(code { _ = try folder.open("pipe".bytes, flags) } == ContainerError.notRegular)
    }
    #expect(code { _ = try folder.open("pipe".bytes, O_WRONLY) } == ENXIO)
    #expect(try folder.kind(of: "pipe".bytes) == .other)
    #expect(try folder.kind(of: "sub".bytes) == .folder)
    #expect(try folder.kind(of: "sub/x".bytes) == .file)
    #expect(try folder.kind(of: "sub/x/y".bytes) == .missing)
    let devices = try ContainerFolder(path: "/dev", resolution: resolution)
    #expect(code { _ = try devices.open("null".bytes, O_RDWR) } == ContainerError.notRegular)
  }

  @Test(arguments: resolutions)
  func `file names in a container may be arbitrary bytes`(_ resolution: Resolution) throws {
    let playground = try Playground()
    let folder = try playground.folder(resolution)
    let path: [UInt8] = [0xFF, 0xFE, UInt8(ascii: "/"), 0xC3, 0x28, UInt8(ascii: "\n")]
    try folder.makeFolders(for: path)
    Glibc.close(try folder.open(path, O_WRONLY | O_CREAT))
    var seen: [[UInt8]: ContainerFolder.Kind] = [:]
    #expect(folder.walk { path, kind in seen[path] = kind } == [])
    #expect(seen == [[0xFF, 0xFE]: .folder, path: .file])
    try folder.unlink(path)
    #expect(try folder.kind(of: path) == .missing)
  }

  @Test(arguments: resolutions)
  func `a file can be moved within and between containers`(_ resolution: Resolution) throws {
    let (playground, folder) = try Self.open(resolution)
    let other = try ContainerFolder(path: playground.outside, resolution: resolution)
    try playground.write("1", to: "a/one")
    try playground.write("2", to: "two")
    try folder.rename(from: "a/one".bytes, to: "two".bytes)
    #expect(try playground.read("two") == "1")
    try folder.rename(from: "two".bytes, to: "moved".bytes, in: other)
    #expect(try playground.workspace.read("outside/moved") == "1")
    #expect(code { try folder.rename(from: "two".bytes, to: "x".bytes) } == ENOENT)
    #expect(code { try folder.rename(from: "".bytes, to: "x".bytes) } == EBUSY)
  }

  @Test(arguments: resolutions)
  func `a walk visits every file and folder once and follows no links`(_ resolution: Resolution)
    throws
  {
    let playground = try Playground()
    try playground.write("x", to: "a/b/c")
    try playground.write("x", to: "d")
    try playground.link("a/up", to: "..")
    try playground.link("out", to: playground.outside)
    #expect(mkfifo("\(playground.container)/pipe", 0o600) == 0)
    var seen: [String] = []
    let errors = try playground.folder(resolution).walk { path, kind in
      seen.append("\(String(decoding: path, as: UTF8.self)) \(kind)")
    }
    #expect(errors == [])
    #expect(
      seen.sorted() == [
        "a folder", "a/b folder", "a/b/c file", "a/up link", "d file", "out link", "pipe other",
      ])
  }

  /// The path is longer than the kernel's limit for a path.
  @Test(arguments: resolutions)
  func `walking a container finds files up to the depth limit and reports deeper folders`(
    _ resolution: Resolution
  ) throws {
    let playground = try Playground()
    let folder = try playground.folder(resolution)
    let depth = ContainerFolder.depthLimit
    let name = Array(repeating: UInt8(ascii: "d"), count: 20)
    let path = Array(repeatElement(name, count: depth).joined(separator: [UInt8(ascii: "/")]))
    try folder.makeFolders(for: path + "/deep".bytes)
    Glibc.close(try folder.open(path + "/deep".bytes, O_WRONLY | O_CREAT))
    var files: [[UInt8]] = []
    #expect(folder.walk { path, kind in if kind == .file { files.append(path) } } == [])
    #expect(files == [path + "/deep".bytes])

    try folder.makeFolders(for: "other/file".bytes)
    try folder.rename(from: "other".bytes, to: path + "/deeper".bytes)
    let errors = folder.walk { _, _ in }
    #expect(errors.map(\.code) == [ENAMETOOLONG])
    #expect(errors.map(\.path) == [path + "/deeper".bytes])
    try folder.unlink(path + "/deep".bytes)
  }

  @Test(arguments: resolutions)
  func `folders nested too deeply are refused before any folder is created`(
    _ resolution: Resolution
  ) throws {
    let playground = try Playground()
    let folder = try playground.folder(resolution)
    let path = Array(
      repeatElement("d".bytes, count: 2_000).joined(separator: [UInt8(ascii: "/")]))
    let error = #expect(throws: ContainerError.self) { try folder.begin(path, with: []) }
    #expect(error?.code == ContainerError.tooDeep)
    #expect(error?.reason == "its folders are nested more than 256 deep")
    #expect(try folder.names(of: []) == [])
  }

  /// With long names, the paths are longer than the kernel's limit.
  @Test(arguments: [1, 255])
  func `a walk of deeply nested folders has at most five descriptors open`(length: Int) throws {
    let playground = try Playground()
    let folder = try playground.folder()
    for chain in 0..<3 {
      let name = Array(repeating: UInt8(ascii: "a") + UInt8(chain), count: length)
      let path = Array(repeatElement(name, count: 240).joined(separator: [UInt8(ascii: "/")]))
      try folder.makeFolders(for: path + "/file".bytes)
      Glibc.close(try folder.open(path + "/file".bytes, O_WRONLY | O_CREAT))
    }
    var (folders, files, most) = (0, 0, 0)
    let errors = folder.walkEntries { entry in
      #expect(entry.status != nil)
      if entry.kind == .folder { folders += 1 }
      guard entry.kind == .file else { return }
      files += 1
      most = max(most, playground.openDescriptors)
    }
    #expect(errors == [] && folders == 720 && files == 3)
    // The test's own, the walk's root, the current folder and its list.
    #expect(most <= 5, "\(most) descriptors")
    try FolderRemoval(playground.container).run()
  }

  @Test func `a walk reads a folder that lacks search permission`() throws {
    let playground = try Playground()
    try playground.write("x", to: "listed/file")
    #expect(chmod("\(playground.container)/listed", 0o600) == 0)
    var seen: [String] = []
    let errors = try playground.folder().walkEntries { entry in
      if entry.status != nil { seen.append(String(decoding: entry.path, as: UTF8.self)) }
    }
    #expect(errors == [] && seen == ["listed", "listed/file"])
  }

  @Test func `a container must be a folder, not a link`() throws {
    let playground = try Playground()
    try playground.link("link", to: playground.outside)
    for name in ["link", "missing", "../outside/kept.txt"] {
      #expect(throws: ContainerError.self) {
        try ContainerFolder(path: "\(playground.container)/\(name)")
      }
    }
  }

  @Test func `an error about a container file states operation, path and reason`() throws {
    let playground = try Playground()
    try playground.link("link", to: "x")
    let error = #expect(throws: ContainerError.self) {
      try playground.folder().open("link".bytes, O_RDONLY)
    }
    #expect(
      error?.description
        == "cannot open `\(playground.container)/link`: the path contains a symbolic link")
  }

  @Test func `container paths are resolved by the kernel on a machine with openat2`() {
    #expect(Resolution.best == .kernel)
  }

  @Test func `operations on a container leave no open descriptor`() throws {
    let playground = try Playground()
    try playground.write("x", to: "a/b/c")
    for resolution in Self.resolutions {
      for _ in 0..<200 {
        let folder = try playground.folder(resolution)
        _ = folder.walk { _, _ in }
        _ = try? folder.open("a/b".bytes, O_RDONLY)
        _ = try? folder.open("a/x/y".bytes, O_RDONLY)
        _ = try? folder.kind(of: "a/b/c".bytes)
        try? folder.unlink("a/b/d".bytes)
        try? folder.rename(from: "a/b/c".bytes, to: "a/b/c".bytes)
        try? folder.makeFolders(for: "a/b/c/d/e".bytes)
      }
      // Other tests open descriptors at the same time.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\($0)")
        return target?.hasPrefix(playground.container) ?? false
      }
      #expect(open == [])
    }
  }
}

/// Tests the disk usage of containers, on real files.
@Suite struct ContainerUsageTests {
  private let playground: Playground
  private let folder: ContainerFolder

  init() throws {
    playground = try Playground()
    folder = try playground.folder()
  }

  private var usage: DiskUsage { folder.usage(countingUpTo: .max) }

  @Test func `an empty container uses no space`() { #expect(usage == DiskUsage()) }

  @Test func `disk usage counts allocated blocks, but not holes`() throws {
    try playground.write(String(repeating: "x", count: 100_000), to: "full")
    let full = usage
    #expect(full.files == 1)
    #expect(full.bytes >= 100_000)
    let hole = open("\(playground.container)/hole", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(ftruncate(hole, 1 << 30) == 0)
    close(hole)
    #expect(usage.files == 2)
    #expect(usage.bytes < full.bytes + (1 << 20))
  }

  @Test func `disk usage counts a file with two hard links once`() throws {
    try playground.write(String(repeating: "x", count: 100_000), to: "a/file")
    try FileManager.default.createDirectory(
      atPath: "\(playground.container)/b", withIntermediateDirectories: false)
    let before = usage
    #expect(link("\(playground.container)/a/file", "\(playground.container)/b/file") == 0)
    #expect(usage == before)
  }

  @Test func `disk usage counts a symbolic link, but not its target`() throws {
    try playground.workspace.write(String(repeating: "x", count: 1 << 20), to: "outside/large")
    try playground.link("file", to: "../outside/large")
    try playground.link("folder", to: "../outside")
    #expect(usage.files == 2)
    #expect(usage.bytes < 1 << 20)
  }

  @Test func `disk usage counts files in an unreadable folder`() throws {
    try playground.write("x", to: "closed/file")
    #expect(chmod("\(playground.container)/closed", 0) == 0)
    #expect(usage.files == 2)
  }

  @Test func `folders below the depth limit are reported as not counted in disk usage`() throws {
    let deep = (0...ContainerFolder.depthLimit).map { _ in "d" }.joined(separator: "/")
    try playground.write("x", to: "\(deep)/file")
    #expect(usage.unseen == 1)
  }

  @Test func `the disk usage of a container is counted up to a given number of files`() throws {
    for number in 0..<20 { try playground.write("", to: "\(number % 4)/\(number)") }
    #expect(usage.files == 24)
    #expect(folder.usage(countingUpTo: 5).files == 5)
  }
}

/// A location has exactly one spelling within its scope.
struct FileLocationTests {
  @Test(arguments: [
    ("a", "a"), ("a/b", "a/b"), ("./a", "a"), ("a//b", "a/b"), ("a/./b/", "a/b"), ("..a", "..a"),
    ("a/...", "a/..."), (".a/.", ".a"),
  ])
  func `empty and dot components of a path are dropped`(_ path: String, _ expected: String) {
    #expect(FileLocation(scope: "S", path: path)?.path == Array(expected.utf8))
  }

  @Test(arguments: [
    "", "/", "/a", ".", "./", "././/", "..", "a/..", "a/../b", "../a", "a\0b", "\0",
  ])
  func `a file location rejects empty paths and paths out of its scope`(_ path: String) {
    #expect(FileLocation(scope: "S", path: path) == nil)
  }

  @Test func `the maximum length of a path is 4096 bytes`() {
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    #expect(FileLocation(scope: "S", path: longest)?.path.count == 4096)
    #expect(FileLocation(scope: "S", path: longest + [0x78]) == nil)
  }

  @Test func `a file name that is not UTF-8 keeps its bytes and is printed escaped`() {
    let path: [UInt8] = [0x61, 0xFF, 0x2F, 0xC3, 0xBC, 0x2F, 0xE2, 0x82, 0x0A, 0x7F, 0x62]
    let place = FileLocation(scope: "S", path: path)
    #expect(place?.path == path)
    #expect(place?.description == "S/a\\xff/ü/\\xe2\\x82\\x0a\\x7fb")
    #expect(FileLocation(scope: "S", path: [0xF4, 0x90, 0x80])?.description == "S/\\xf4\\x90\\x80")
  }
}

@Suite struct PathTextTests {
  @Test(
    arguments: [
      (Array("a/é/👩‍👧".utf8), "a/é/👩‍👧"), ([0x61, 0xFF, 0x62], #"a\xffb"#), ([0x1B, 0x5B], #"\x1b["#),
      (Array("a\u{202E}b".utf8), #"a\xe2\x80\xaeb"#), (Array("\u{9B}1m".utf8), #"\xc2\x9b1m"#),
      ([0xE2, 0x80], #"\xe2\x80"#), ([], ""),
    ] as [([UInt8], String)])
  func `control characters and invalid bytes in container paths are printed escaped`(
    path: [UInt8], shown: String
  ) {
    #expect(PathText.shown(path) == shown)
  }
}

@Suite struct CharacterStreamTests {
  @Test(arguments: ["plain", "Grüße", "日本語", "a😀b", "", "e\u{301}"])
  func `UTF-8 output split at any byte decodes to the same text`(text: String) {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var stream = CharacterStream()
      let first = stream.append(bytes[..<cut])
      #expect(first + stream.append(bytes[cut...]) + stream.end() == text)
      #expect(!first.contains("\u{FFFD}"))
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0x41], "\u{FFFD}A"), ([0x80, 0x80, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0x41, 0xE2, 0x41], "A\u{FFFD}A"),
    ] as [([UInt8], String)])
  func `invalid UTF-8 in output is decoded as replacement characters`(bytes: [UInt8], text: String)
  {
    var stream = CharacterStream()
    #expect(stream.append(bytes) + stream.end() == text)
  }

  @Test func `an incomplete UTF-8 character at the end of output becomes a replacement character`()
  {
    var stream = CharacterStream()
    #expect(stream.append([0x41, 0xE2, 0x82]) == "A")
    #expect(stream.end() == "\u{FFFD}")
    #expect(stream.end() == "")
  }
}

/// A container, and a folder beside it that must never be accessible from the container.
final class Playground {
  let workspace: Workspace
  var container: String { workspace.path("container") }
  var outside: String { workspace.path("outside") }

  init() throws {
    workspace = try Workspace()
    try FileManager.default.createDirectory(
      atPath: workspace.path("container"), withIntermediateDirectories: false)
    try workspace.write("precious", to: "outside/kept.txt")
  }

  func folder(_ resolution: ContainerFolder.Resolution = .best) throws -> ContainerFolder {
    try ContainerFolder(path: container, resolution: resolution)
  }

  func write(_ text: String, to name: String) throws {
    try workspace.write(text, to: "container/\(name)")
  }

  func read(_ name: String) throws -> String { try workspace.read("container/\(name)") }
  func has(_ name: String) -> Bool { workspace.has("container/\(name)") }

  /// Creates a symbolic link in the container.
  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(container)/\(name)", withDestinationPath: destination)
  }

  /// The number of this process's descriptors of folders and files in the container. Those whose paths are longer
  /// than the kernel's limit are not counted.
  var openDescriptors: Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.count {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\($0)")
      return target?.hasPrefix(container) == true
    }
  }

  /// Whether the files outside are unchanged.
  var isOutsideIntact: Bool {
    (try? workspace.read("outside/kept.txt")) == "precious"
      && (try? FileManager.default.contentsOfDirectory(atPath: outside)) == ["kept.txt"]
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}
