/// The names of windows, assigned in order of appearance.
@MainActor enum WindowNames {
  private static var count = 0

  /// Returns nil for the first window, then `window-2`, `window-3`, ….
  static func next() -> String? {
    count += 1
    return count == 1 ? nil : "window-\(count)"
  }
}
