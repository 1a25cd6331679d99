internal import Cryptography
internal import FileProtection
internal import Foundation
internal import Model
internal import Synchronization
internal import TestSupport
internal import Testing

@testable import Host

@Suite struct FileErasureTests {
  private let anna = Account(upn: "anna@contoso.com", objectID: "A1", tenantID: "T")
  private let ben = Account(upn: "ben@contoso.com", objectID: "B2", tenantID: "T")
  private let playground: Playground

  init() throws { playground = try Playground() }

  private func erase(_ places: String...) -> FileErasure.Report { erase(places.map(\.bytes)) }

  private func erase(_ places: [[UInt8]]) -> FileErasure.Report {
    FileErasure(areas: [.init(root: playground.container, places: places)], owner: anna).run()
  }

  /// Writes a sealed file.
  ///
  /// - Returns: The file's content.
  @discardableResult
  private func seal(_ name: String, for owner: Account) throws -> [UInt8] {
    let page = ProtectionHeader.firstPage(
      owner: owner, key: .random(), accountKey: AES256GCM(key: Array(repeating: 7, count: 32)))
    let url = URL(fileURLWithPath: "\(playground.container)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(page).write(to: url)
    return Array(page)
  }

  /// Returns the content of a file in the container; nil if the file does not exist.
  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(playground.container)/\(name)").map(Array.init)
  }

  @Test func `an erasure deletes only the account's files`() throws {
    try playground.write("x", to: "a/listed")
    try playground.write("x", to: "a/other")
    try seal("b/sealed", for: anna)
    try seal("b/both", for: anna)
    let bens = try seal("b/ben", for: ben)
    let report = erase("a/listed", "b/both", "gone")
    #expect(report == FileErasure.Report(listed: 2, sealed: 1, erased: 3))
    #expect(report.found == 3)
    #expect(!playground.has("a/listed") && !playground.has("b/sealed") && !playground.has("b/both"))
    #expect(bytes("a/other") == "x".bytes && bytes("b/ben") == bens)
    #expect(erase("a/listed") == FileErasure.Report())
  }

  @Test
  func `a file's owner is found by object id, or by UPN if there is no object id, ignoring case`()
    throws
  {
    try seal("renamed", for: Account(upn: "a.new@contoso.com", objectID: "a1"))
    try seal("upper", for: Account(upn: "ANNA@CONTOSO.COM"))
    let successor = try seal("successor", for: Account(upn: "anna@contoso.com", objectID: "C3"))
    #expect(erase() == FileErasure.Report(sealed: 2, erased: 2))
    #expect(bytes("renamed") == nil && bytes("upper") == nil)
    #expect(bytes("successor") == successor)
  }

  @Test
  func `an erasure deletes files in several areas, even if the folder of one area is missing`()
    throws
  {
    try playground.write("x", to: "one")
    try playground.workspace.write("x", to: "group/two")
    let report = FileErasure(
      areas: [
        .init(root: playground.workspace.path("nowhere"), places: ["x".bytes]),
        .init(root: playground.container, places: ["one".bytes]),
        .init(root: playground.workspace.path("group"), places: ["two".bytes]),
      ], owner: anna
    ).run()
    #expect(report == FileErasure.Report(listed: 2, erased: 2))
    #expect(!playground.has("one"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: playground.workspace.path("group")) == [])
  }

  @Test func `an erasure rejects paths outside the container and erases the rest`() throws {
    try playground.write("x", to: "mine")
    let report = erase("../outside/kept.txt", "\(playground.outside)/kept.txt", "mine")
    #expect(report.errors.map(\.code) == [EXDEV, EXDEV])
    #expect(report.erased == 1)
    #expect(!playground.has("mine"))
    #expect(playground.isOutsideIntact)
  }

  @Test func `an erasure deletes a symbolic link, but not its target`() throws {
    try playground.link("file", to: "../outside/kept.txt")
    try playground.link("absolute", to: "\(playground.outside)/kept.txt")
    try playground.link("dangling", to: "../outside/new.txt")
    try playground.link("folder", to: "../outside")
    let report = erase("file", "absolute", "dangling", "folder/kept.txt")
    #expect(report.erased == 3)
    #expect(report.errors.map(\.code) == [ELOOP])
    #expect(playground.isOutsideIntact)
    let left = try FileManager.default.contentsOfDirectory(atPath: playground.container)
    #expect(left == ["folder"])
  }

  @Test func `an erasure removes a hard link in the container but keeps the file outside`() throws {
    let kept = "\(playground.outside)/kept.txt"
    #expect(link(kept, "\(playground.container)/linked") == 0)
    let report = erase("linked")
    #expect(report.erased == 1)
    #expect(report.errors.map(\.code) == [EMLINK])
    #expect(playground.isOutsideIntact)
  }

  @Test func `an erasure keeps another account's encrypted file and removes the link to it`() throws
  {
    let bens = try seal("ben", for: ben)
    #expect(link("\(playground.container)/ben", "\(playground.container)/listed") == 0)
    let report = erase("listed")
    #expect(report.erased == 1)
    #expect(report.errors.map(\.code) == [EMLINK])
    #expect(bytes("ben") == bens && !playground.has("listed"))
  }

  @Test func `an erasure deletes both hard links of an encrypted file`() throws {
    try seal("one", for: anna)
    #expect(link("\(playground.container)/one", "\(playground.container)/two") == 0)
    let file = open("\(playground.container)/two", O_RDONLY)
    defer { close(file) }
    #expect(erase("one") == FileErasure.Report(listed: 1, sealed: 1, erased: 2))
    #expect(!playground.has("one") && !playground.has("two"))
    var byte: UInt8 = 0
    #expect(read(file, &byte, 1) == 0)
  }

  @Test func `an erasure destroys a file's content if all its hard links are in the app's folders`()
    throws
  {
    try playground.write("secret", to: "listed")
    let group = playground.workspace.path("group")
    try playground.workspace.write("x", to: "group/stays")
    for copy in ["\(playground.container)/copy", "\(group)/copy"] {
      #expect(link("\(playground.container)/listed", copy) == 0)
    }
    let file = open("\(group)/copy", O_RDONLY)
    defer { close(file) }
    let report = FileErasure(
      areas: [
        .init(root: playground.container, places: ["listed".bytes]), .init(root: group, places: []),
      ], owner: anna
    ).run()
    #expect(report == FileErasure.Report(listed: 1, erased: 3))
    #expect(try FileManager.default.contentsOfDirectory(atPath: playground.container) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: group) == ["stays"])
    var byte: UInt8 = 0
    #expect(read(file, &byte, 1) == 0)
  }

  @Test func `an erasure deletes pipes without blocking and reports a folder at a file's path`()
    throws
  {
    #expect(mkfifo("\(playground.container)/pipe", 0o600) == 0)
    try playground.write("x", to: "folder/file")
    let report = erase("pipe", "folder")
    #expect(report.erased == 1)
    #expect(report.errors.map(\.code) == [EISDIR])
    #expect(!playground.has("pipe"))
    #expect(bytes("folder/file") == "x".bytes)
  }

  @Test func `an erasure deletes files with non-UTF-8 names and files at the depth limit`() throws {
    let folder = try playground.folder()
    let odd: [UInt8] = [0xFF, UInt8(ascii: "/"), 0xC3, 0x28]
    let deep =
      Array(
        repeatElement(Array(repeating: UInt8(ascii: "d"), count: 200), count: 100)
          .joined(separator: "/".bytes)) + "/deep".bytes
    for path in [odd, deep] {
      try folder.makeFolders(for: path)
      close(try folder.open(path, O_WRONLY | O_CREAT))
    }
    #expect(erase([odd, deep]) == FileErasure.Report(listed: 2, erased: 2))
    for path in [odd, deep] {
      #expect(throws: (any Error).self) { close(try folder.open(path, O_RDONLY)) }
    }
  }

  @Test func `an erasure keeps and reports a file with an unreadable header`() throws {
    try playground.write("SLUICEF1 and then nothing", to: "cut")
    try playground.write("SLU", to: "short")
    let report = erase()
    #expect(
      report.errors.map(\.description) == [
        "cannot read the owner of `\(playground.container)/cut`: Bad message"
      ])
    #expect(bytes("cut") == "SLUICEF1 and then nothing".bytes && bytes("short") == "SLU".bytes)
  }

  /// The locations of the account's files, and the modes that a guest sets. Both are in order.
  struct Closing: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let listed: [String]
    let sealed: [String]
    let modes: [(place: String, mode: mode_t)]
  }

  static let closings = [
    Closing(
      testDescription: "folders and files without permissions",
      listed: ["fixed/listed"], sealed: ["closed/sealed", "unreadable"],
      modes: [("/closed/sealed", 0), ("/closed", 0), ("/unreadable", 0), ("/fixed", 0o500)]),
    Closing(
      testDescription: "folders within folders", listed: ["a/b/listed"], sealed: ["a/c/sealed"],
      modes: [("/a/b", 0), ("/a/c", 0), ("/a", 0)]),
    Closing(
      testDescription: "its whole container", listed: ["a/listed", "top"], sealed: ["sealed"],
      modes: [("/a", 0), ("/top", 0), ("", 0)]),
  ]

  /// Permissions do not restrict root. The thread therefore acts as another user, who owns the
  /// files.
  @Test(arguments: closings) func `an erasure deletes files despite restrictive permissions`(
    closing: Closing
  ) async throws {
    for name in closing.listed { try playground.write("x", to: name) }
    for name in closing.sealed { try seal(name, for: anna) }
    try giveAwayAll()
    for (place, mode) in closing.modes {
      try #require(chmod("\(playground.container)\(place)", mode) == 0)
    }
    let report = try await eraseUnprivileged(closing.listed)
    let (listed, sealed) = (closing.listed.count, closing.sealed.count)
    #expect(
      report == FileErasure.Report(listed: listed, sealed: sealed, erased: listed + sealed))
    try expectNoFile()
  }

  private func expectNoFile() throws {
    var left: [String] = []
    #expect(
      try playground.folder().walk { path, kind in
        if kind == .file { left.append(String(decoding: path, as: UTF8.self)) }
      } == [])
    #expect(left == [])
  }

  @Test func `an erasure lists, by area, the files that it cannot delete`() throws {
    try playground.write("x", to: "mine")
    try playground.write("x", to: "folder/file")
    try playground.link("link", to: "../outside")
    let report = erase("mine", "folder", "link/kept.txt", "gone")
    #expect(report.left == [playground.container: ["folder".bytes, "link/kept.txt".bytes]])
    let root = playground.workspace.path(String(repeating: "x", count: 300))
    let area = FileErasure.Area(root: root, places: ["folder/file".bytes])
    #expect(FileErasure(areas: [area], owner: anna).run().left == [root: ["folder/file".bytes]])
  }

  @Test func `erased synced data is not counted as found`() throws {
    try playground.write("x", to: "1")
    try playground.write("x", to: "2")
    let area = FileErasure.Area(root: playground.container, places: ["1".bytes], isSynced: true)
    let report = FileErasure(areas: [area], owner: anna).run()
    #expect(report.found == 0)
    #expect(report.erased == 1)
    #expect(report.left.isEmpty && report.errors.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: playground.container)
    #expect(names.contains("2") && !names.contains("1"))
  }

  /// The owner of the container's files in permission tests.
  private var guestUser: uid_t { getuid() == 0 ? 65_534 : getuid() }

  private func giveAwayAll() throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: playground.container)
    for name in [""] + names {
      try #require(chown("\(playground.container)/\(name)", guestUser, gid_t.max) == 0)
    }
    try #require(chmod(playground.workspace.path, 0o755) == 0)
  }

  private func eraseUnprivileged(_ places: [String]) async throws -> FileErasure.Report {
    let areas = [FileErasure.Area(root: playground.container, places: places.map(\.bytes))]
    let erasure = FileErasure(areas: areas, owner: anna)
    let user = guestUser
    // setfsuid(2) applies to one thread. The headers that Swift imports do not declare it.
    let symbol = try #require(dlsym(nil, "setfsuid"))
    let setUser = unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> Int32).self)
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = setUser(user)
        continuation.resume(returning: erasure.run())
      }
    }
  }

  @Test func `a guest that swaps folders and links cannot cause deletions outside its container`()
    throws
  {
    let count = 10_000
    let names = (0..<count).map { "file\($0)" }
    #expect(mkdir("\(playground.container)/swapped", 0o700) == 0)
    for name in names {
      Self.make("\(playground.container)/swapped/\(name)")
      Self.make("\(playground.outside)/\(name)")
    }
    try seal("swapped/sealed", for: anna)
    let swapper = Swapper(
      folder: "\(playground.container)/swapped", link: "\(playground.container)/link",
      target: playground.outside)
    swapper.start()
    var erased = 0
    for _ in 0..<3 { erased += erase(names.map { "swapped/\($0)".bytes }).erased }
    let swaps = try swapper.stop()
    #expect(swaps > 100)
    let outside = try FileManager.default.contentsOfDirectory(atPath: playground.outside)
    #expect(outside.count == count + 1)
    for name in names {
      #expect(
        FileManager.default.contents(atPath: "\(playground.outside)/\(name)") == Data("mine".utf8))
    }
    #expect(erased > 0)
    _ = erase(names.map { "swapped/\($0)".bytes })
    // The sealed file may have been elsewhere when its name was to be removed. In this case, the
    // file is empty and has no owner.
    let sealed = Self.size("\(playground.container)/swapped/sealed")
    #expect(sealed == nil || sealed == 0)
    _ = erase(["swapped/sealed".bytes])
    let left = try FileManager.default.contentsOfDirectory(
      atPath: "\(playground.container)/swapped")
    #expect(left == [])
  }

  /// Writes a file of four bytes, faster than Foundation does.
  private static func make(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    #expect(write(file, "mine", 4) == 4)
    close(file)
  }

  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  @Test func `files that are deleted during an erasure cause no error`() throws {
    let names = (0..<2_000).map { "file\($0)" }
    for name in names { try playground.write("x", to: name) }
    let container = playground.container
    let guest = Thread { for name in names.reversed() { unlink("\(container)/\(name)") } }
    guest.start()
    let report = erase(names.map(\.bytes))
    // A vanished file and a moved file are indistinguishable.
    #expect(report.errors.allSatisfy { $0.code == EBUSY })
    #expect(report.erased <= report.listed)
    try waitUntil("all are gone") { guest.isFinished }
    #expect(try FileManager.default.contentsOfDirectory(atPath: container) == [])
  }

  @Test func `an encrypted file that is moved during an erasure is deleted or reported`() throws {
    for name in ["a/x", "b/y"] { try playground.write("x", to: name) }
    try seal("a/sealed", for: anna)
    let folder = playground.container
    let isOver = Mutex(false)
    let guest = Thread {
      while !isOver.withLock(\.self) {
        rename("\(folder)/a/sealed", "\(folder)/b/sealed")
        rename("\(folder)/b/sealed", "\(folder)/a/sealed")
      }
    }
    guest.start()
    let report = erase()
    isOver.withLock { $0 = true }
    try waitUntil("the guest has exited") { guest.isFinished }
    // A file that was truncated under its old name has no owner.
    let isLeft = ["a", "b"].contains { (Self.size("\(folder)/\($0)/sealed") ?? 0) > 0 }
    #expect(!isLeft || report.errors.contains { $0.code == EBUSY })
  }

  @Test func `among many files, an erasure deletes exactly the account's files`() throws {
    var places: [[UInt8]] = []
    var kept: [String: [UInt8]] = [:]
    for index in 0..<1_000 {
      let name = "d\(index % 10)/file\(index)"
      switch index % 4 {
      case 0: try seal(name, for: anna)
      case 1: kept[name] = try seal(name, for: ben)
      case 2:
        try playground.write("plain", to: name)
        places.append(name.bytes)
      default:  // open: the last of four
        try playground.write("plain \(index)", to: name)
        kept[name] = "plain \(index)".bytes
      }
    }
    #expect(erase(places) == FileErasure.Report(listed: 250, sealed: 250, erased: 500))
    var left: [String: [UInt8]] = [:]
    #expect(
      try playground.folder().walk { path, kind in
        let name = String(decoding: path, as: UTF8.self)
        if kind == .file { left[name] = bytes(name) }
      } == [])
    #expect(left == kept)
  }
}

/// Exchanges a folder and a link to an outside folder repeatedly. A guest could do this to make the
/// host delete outside files.
private final class Swapper: @unchecked Sendable {
  private let folder: String
  private let link: String
  private let lock = NSLock()
  private var isStopped = false
  private var swaps = 0

  init(folder: String, link: String, target: String) {
    self.folder = folder
    self.link = link
    symlink(target, link)
  }

  func start() { Thread.detachNewThread { self.swap() } }

  /// Stops the exchanges. All files are in their original places afterwards.
  ///
  /// - Returns: The number of exchanges, at least 100.
  func stop() throws -> Int {
    try waitUntil("enough swaps") { lock.withLock { swaps > 100 } }
    return lock.withLock {
      isStopped = true
      return swaps
    }
  }

  private func swap() {
    let aside = "\(link).aside"
    while true {
      lock.lock()
      if isStopped { return lock.unlock() }
      // There are three renames. Between any two calls of the host, all files may therefore be
      // elsewhere.
      rename(folder, aside)
      rename(link, folder)
      sched_yield()
      rename(folder, link)
      rename(aside, folder)
      swaps += 2
      lock.unlock()
      sched_yield()
    }
  }
}
