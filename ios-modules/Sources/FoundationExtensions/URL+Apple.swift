public import Foundation

extension URL {
  /// Always returns true, because picked files are copied into the container.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}

extension NSURL {
  /// The URL as text. On iOS, it is optional; Foundation on Linux declares it as `String`. The
  /// context chooses the declaration.
  public var absoluteString: String? { (self as URL).absoluteString }

  /// Always returns true, because picked files are copied into the container.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}
