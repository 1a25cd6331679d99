/// The names of windows, in the order in which they appear.
@MainActor enum WindowNames {
  private static var count = 0

  /// nil for the first, then `window-2`, `window-3`, ….
  static func next() -> String? {
    count += 1
    return count == 1 ? nil : "window-\(count)"
  }
}
