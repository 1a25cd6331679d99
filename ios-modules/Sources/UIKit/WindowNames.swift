/// Assigns names to windows, in the order of their first use.
@MainActor enum WindowNames {
  private static var count = 0

  /// Returns the next name: nil for the first window, and then `window-2`, `window-3`, ….
  static func next() -> String? {
    count += 1
    return count == 1 ? nil : "window-\(count)"
  }
}
