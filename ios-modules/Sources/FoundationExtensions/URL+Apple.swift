public import Foundation

extension URL {
  /// Always returns true, because picked files are copied into the container.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}

  public static var documentsDirectory: URL { folder(.documentDirectory) }
  public static var libraryDirectory: URL { folder(.libraryDirectory) }
  public static var cachesDirectory: URL { folder(.cachesDirectory) }
  public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
  public static var temporaryDirectory: URL { FileManager.default.temporaryDirectory }
  public static var homeDirectory: URL {
    URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
  }

  private static func folder(_ kind: FileManager.SearchPathDirectory) -> URL {
    FileManager.default.urls(for: kind, in: .userDomainMask).first ?? homeDirectory
  }
}

extension NSURL {
  /// The URL as text. It is optional, as on iOS; Foundation on Linux declares a `String`. The
  /// compiler chooses the declaration that fits the context.
  public var absoluteString: String? { (self as URL).absoluteString }

  /// Always returns true, because picked files are copied into the container.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}
