internal import Foundation
internal import FoundationExtensions
internal import Testing

@Suite struct BookmarkTests {
  private let container: URL
  private var file: URL { container.appendingPathComponent("Documents/a.txt") }

  init() throws {
    container = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(
      at: container.appendingPathComponent("Documents"), withIntermediateDirectories: true)
    try Data("a".utf8).write(to: file)
  }

  private func withoutContainer<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { try? FileManager.default.removeItem(at: container) }
    return try body()
  }

  private func checkCode(
    _ code: CocoaError.Code, _ body: () throws -> Void, at place: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: CocoaError.self, sourceLocation: place, performing: body)
    #expect(error?.code == code, sourceLocation: place)
  }

  @Test func `a bookmark finds its file in a container at another path`() throws {
    let bookmark = try Bookmark(of: file, in: container)
    let moved = container.appendingPathExtension("2")
    try FileManager.default.moveItem(at: container, to: moved)
    defer { try? FileManager.default.removeItem(at: moved) }
    let (url, isStale) = try bookmark.resolved(in: moved)
    #expect(url.path == moved.appendingPathComponent("Documents/a.txt").path)
    #expect(!isStale)
  }

  @Test func `a bookmark of a moved file is stale and finds the new path`() throws {
    try withoutContainer {
      let bookmark = try Bookmark(of: file, in: container)
      let new = container.appendingPathComponent("b.txt")
      try FileManager.default.moveItem(at: file, to: new)
      try Data("other".utf8).write(to: file)
      let (url, isStale) = try bookmark.resolved(in: container)
      #expect(url.path == new.path)
      #expect(isStale)
    }
  }

  @Test func `a bookmark of a replaced file is stale and finds the replacement`() throws {
    try withoutContainer {
      let bookmark = try Bookmark(of: file, in: container)
      let new = container.appendingPathComponent("new")
      try Data("new".utf8).write(to: new)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: new, to: file)
      let (url, isStale) = try bookmark.resolved(in: container)
      #expect(url.path == file.path)
      #expect(isStale)
    }
  }

  @Test func `the bookmark data of a file outside a container resolves to the file's URL`() throws {
    try withoutContainer {
      let data = try file.bookmarkData(options: .minimalBookmark)
      var isStale = true
      let url = try URL(
        resolvingBookmarkData: data, options: .withoutUI, bookmarkDataIsStale: &isStale)
      #expect(url.path == file.path)
      #expect(!isStale)
    }
  }

  @Test func `bookmarks of missing files and invalid bookmark data are errors`() throws {
    let bookmark = try Bookmark(of: file, in: container)
    try FileManager.default.removeItem(at: container)
    checkCode(.fileReadNoSuchFile) { _ = try file.bookmarkData() }
    checkCode(.fileNoSuchFile) { _ = try bookmark.resolved(in: container) }
    var isStale = false
    checkCode(.fileReadCorruptFile) {
      _ = try URL(resolvingBookmarkData: Data("x".utf8), bookmarkDataIsStale: &isStale)
    }
  }
}
