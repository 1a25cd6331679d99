/// Assigns names to windows, in the order of their first use.
@MainActor enum WindowNames {
  private static var count = 0

  /// Returns the name for the next window: nil for the first window, then `window-2`, `window-3`,
  /// and so on.
  static func next() -> String? {
    count += 1
    return count == 1 ? nil : "window-\(count)"
  }
}
