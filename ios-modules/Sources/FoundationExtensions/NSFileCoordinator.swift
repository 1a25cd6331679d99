public import Foundation

/// Coordinates access to files. Each accessor runs immediately with the given URL, because the simulated system has no
/// iCloud, and no process waits for another process's access.
open class NSFileCoordinator: NSObject {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let withoutChanges = Self(rawValue: 1 << 0)
    public static let resolvesSymbolicLink = Self(rawValue: 1 << 1)
    public static let immediatelyAvailableMetadataOnly = Self(rawValue: 1 << 2)
    public static let forUploading = Self(rawValue: 1 << 3)
  }

  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let forDeleting = Self(rawValue: 1 << 0)
    public static let forMoving = Self(rawValue: 1 << 1)
    public static let forMerging = Self(rawValue: 1 << 2)
    public static let forReplacing = Self(rawValue: 1 << 3)
    public static let contentIndependentMetadataOnly = Self(rawValue: 1 << 4)
  }

  /// Creates a coordinator.
  ///
  /// - Parameter filePresenterOrNil: Without effect: file presenters are never called.
  public init(filePresenter filePresenterOrNil: (any NSFilePresenter)? = nil) {}

  /// Does nothing, because presenters are never called.
  open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {}

  /// Does nothing, because presenters are never called.
  open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {}

  /// Calls `reader` before it returns. `outError` is never set.
  open func coordinate(
    readingItemAt url: URL, options: ReadingOptions = [], error outError: NSErrorPointer,
    byAccessor reader: (URL) -> Void
  ) { reader(url) }

  /// Calls `writer` before it returns. `outError` is never set.
  open func coordinate(
    writingItemAt url: URL, options: WritingOptions = [], error outError: NSErrorPointer,
    byAccessor writer: (URL) -> Void
  ) { writer(url) }

  /// Calls `readerWriter` before it returns. `outError` is never set.
  open func coordinate(
    readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
    error outError: NSErrorPointer, byAccessor readerWriter: (URL, URL) -> Void
  ) { readerWriter(readingURL, writingURL) }

  /// Calls `writer` before it returns. `outError` is never set.
  open func coordinate(
    writingItemAt url1: URL, options options1: WritingOptions = [], writingItemAt url2: URL,
    options options2: WritingOptions = [], error outError: NSErrorPointer,
    byAccessor writer: (URL, URL) -> Void
  ) { writer(url1, url2) }

  /// Does nothing, because presenters are never called.
  open func item(at oldURL: URL, didMoveTo newURL: URL) {}

  /// Does nothing, because no access ever waits.
  open func cancel() {}
}

/// An object that shows a file. The simulated system never calls its methods.
public protocol NSFilePresenter: NSObjectProtocol {
  var presentedItemURL: URL? { get }
  var presentedItemOperationQueue: OperationQueue { get }
}
