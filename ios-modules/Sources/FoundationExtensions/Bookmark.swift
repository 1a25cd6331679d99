public import Foundation

extension NSURL {
  /// Options of bookmarks. They have no effect.
  public struct BookmarkCreationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let minimalBookmark = Self(rawValue: 1 << 9)
    public static let suitableForBookmarkFile = Self(rawValue: 1 << 10)
    public static let withoutImplicitSecurityScope = Self(rawValue: 1 << 29)
  }

  /// Options for the resolution of bookmarks. They have no effect.
  public struct BookmarkResolutionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let withoutUI = Self(rawValue: 1 << 8)
    public static let withoutMounting = Self(rawValue: 1 << 9)
    public static let withoutImplicitStartAccessing = Self(rawValue: 1 << 15)
  }
}

extension URL {
  public typealias BookmarkCreationOptions = NSURL.BookmarkCreationOptions
  public typealias BookmarkResolutionOptions = NSURL.BookmarkResolutionOptions

  /// Returns a bookmark of the file. A later process of the app can find the file with it, even if the file was moved
  /// within its container.
  ///
  /// - Parameters:
  ///   - keys: Without effect, because a bookmark contains no resource values.
  ///   - url: Without effect, because a bookmark's path is always relative to the app's container.
  /// - Throws: `CocoaError.fileReadNoSuchFile` if there is no file.
  public func bookmarkData(
    options: BookmarkCreationOptions = [],
    includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil, relativeTo url: URL? = nil
  ) throws -> Data {
    try PropertyListEncoder().encode(Bookmark(of: self, in: ContainerFile.url("")))
  }

  /// Finds a bookmark's file.
  ///
  /// - Parameters:
  ///   - url: Without effect.
  ///   - bookmarkDataIsStale: Set to whether the file was moved or replaced. If so, the app should create a new
  ///     bookmark.
  /// - Throws: `CocoaError.fileNoSuchFile` if the file no longer exists, `CocoaError.fileReadCorruptFile` if the data
  ///   is no bookmark.
  public init(
    resolvingBookmarkData data: Data, options: BookmarkResolutionOptions = [],
    relativeTo url: URL? = nil, bookmarkDataIsStale: inout Bool
  ) throws {
    guard let bookmark = try? PropertyListDecoder().decode(Bookmark.self, from: data) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    (self, bookmarkDataIsStale) = try bookmark.resolved(in: ContainerFile.url(""))
  }
}

/// The content of a bookmark.
package struct Bookmark: Codable {
  /// The path relative to the app's container; an absolute path for a file outside the container.
  private let path: String
  private let inode: UInt64

  /// Creates a bookmark of an existing file.
  ///
  /// - Throws: `CocoaError.fileReadNoSuchFile`.
  package init(of url: URL, in container: URL) throws {
    guard let inode = Self.inode(of: url) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
    }
    let path = url.standardizedFileURL.path
    let folder = container.standardizedFileURL.path + "/"
    self.path = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    self.inode = inode
  }

  /// Finds the bookmark's file. The bookmark is stale if the file was moved, or if another file has replaced it.
  ///
  /// - Throws: `CocoaError.fileNoSuchFile`.
  package func resolved(in container: URL) throws -> (URL, isStale: Bool) {
    let saved =
      path.hasPrefix("/")
      ? URL(fileURLWithPath: path) : container.appendingPathComponent(path)
    let found = Self.inode(of: saved)
    if found == inode { return (saved, false) }
    if let moved = movedFile(in: container) { return (moved, true) }
    if found != nil { return (saved, true) }
    throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: saved.path])
  }

  private static func inode(of url: URL) -> UInt64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
  }

  private func movedFile(in container: URL) -> URL? {
    guard let paths = FileManager.default.enumerator(atPath: container.path) else { return nil }
    return paths.lazy.compactMap { $0 as? String }
      .map { container.appendingPathComponent($0) }
      .first { Self.inode(of: $0) == inode }
  }
}
