/// The unmanaged browser that "Unmanaged browser protocol" names.
///
/// Source: Microsoft Learn, "iOS app protection policy settings", Unmanaged browser protocol.
public struct CustomBrowser: Sendable, Hashable {
  /// The scheme that the browser registered for `http` links, without colon; for `https` links it has
  /// registered the same with an `s` appended.
  public var scheme: String

  /// nil for the empty string, which names no browser.
  public init?(scheme: String) {
    guard !scheme.isEmpty else { return nil }
    self.scheme = scheme
  }

  /// `http://x` as `scheme://x` and `https://x` as `schemes://x`; nil for any other URL.
  public func rewrite(_ url: String) -> String? {
    guard let colon = url.firstIndex(of: ":") else { return nil }
    switch url[..<colon].lowercased() {
    case "http": return scheme + url[colon...]
    case "https": return scheme + "s" + url[colon...]
    default: return nil
    }
  }
}
