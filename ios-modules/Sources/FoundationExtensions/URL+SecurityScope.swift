public import Foundation

extension URL {
  /// Always true: the container has a copy of what was picked.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}

extension NSURL {
  /// Always true: the container has a copy of what was picked.
  public func startAccessingSecurityScopedResource() -> Bool { true }
  public func stopAccessingSecurityScopedResource() {}
}
