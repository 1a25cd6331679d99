public import Foundation

extension URL {
  /// Always returns true, because picked files are copied into the container.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}

extension NSURL {
  /// Always returns true, because picked files are copied into the container.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}
