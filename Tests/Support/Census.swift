import Glibc

/// The open descriptors and child processes of this process. Tests use it to check that nothing
/// leaks.
public struct Census {
  /// The target of each open descriptor, such as `3 /dev/null` or `4 pipe:[4711]`.
  private let descriptors: Set<String>

  public static func take() -> Census { Census(descriptors: openDescriptors()) }

  /// Waits until no descriptors are open beyond those of this census and no children remain, running or
  /// unreaped.
  ///
  /// libdispatch opens files for a short time to inspect its threads, so a single check would not
  /// be reliable.
  ///
  /// - Throws: ``NeverHappened``, which names the remaining descriptors and children.
  public func waitUntilNothingIsLeft() throws {
    do {
      try waitUntil("nothing is left") {
        let now = Self.openDescriptors()
        // Only libdispatch's descriptors may close in the meantime; the others are still open.
        let gone = descriptors.subtracting(now)
        return now.isSubset(of: descriptors) && !Self.hasChildren
          && gone.allSatisfy { $0.contains(" anon_inode:") || $0.contains(" /proc/") }
      }
    } catch {
      let now = Self.openDescriptors()
      let (left, gone) = (now.subtracting(descriptors), descriptors.subtracting(now))
      throw NeverHappened(
        description: "left: \(left.sorted())\(Self.hasChildren ? " and children" : ""), gone: "
          + "\(gone.sorted())")
    }
  }

  /// Whether this process has any child process, running or unreaped.
  public static var hasChildren: Bool {
    // WNOWAIT leaves an exited child unreaped (waitid(2)).
    var info = siginfo_t()
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0
  }

  private static func openDescriptors() -> Set<String> {
    guard let folder = opendir("/proc/self/fd") else {
      preconditionFailure("cannot read /proc/self/fd")
    }
    defer { closedir(folder) }
    var open: Set<String> = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let descriptor = Int32(name), descriptor != dirfd(folder) else { continue }
      var target = target(of: "/proc/self/fd/" + name)
      // A file inherited from a running parent may be deleted later. It is still the same file.
      let removed = " (deleted)"
      if target.hasSuffix(removed) { target.removeLast(removed.count) }
      // libdispatch opens one timer for each clock on first use and keeps it. No other code here
      // opens timers.
      if target != "anon_inode:[timerfd]" { open.insert("\(name) \(target)") }
    }
    return open
  }

  private static func target(of link: String) -> String {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = target.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink(link, $0, text.count) } ?? 0
      }
    }
    return String(decoding: target.prefix(max(0, count)), as: UTF8.self)
  }
}
