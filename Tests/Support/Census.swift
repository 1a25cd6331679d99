import Glibc

/// What this process holds of the system: for tests that run in a process of their own and leave nothing behind.
public struct Census {
  /// What each open descriptor is, such as `3 /dev/null` or `4 pipe:[4711]`.
  private let descriptors: Set<String>

  public static func take() -> Census { Census(descriptors: openDescriptors()) }

  /// Waits until only that is open which was open then, and there is no child, running or waiting to be reaped.
  ///
  /// What libdispatch opens to look at its threads it closes again, so that a moment later decides.
  ///
  /// - Throws: ``NeverHappened``, which names what is left.
  public func waitUntilNothingIsLeft() throws {
    do {
      try waitUntil("nothing is left") {
        let now = Self.openDescriptors()
        // Those of libdispatch go, too; all others are still there.
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

  /// Whether this process has any child, running or waiting to be reaped.
  public static var hasChildren: Bool {
    // WNOWAIT leaves a child that has ended as it is (waitid(2)).
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
      // A file that was open when this process began, inherited from one that goes on with it, is the same when it is removed.
      let removed = " (deleted)"
      if target.hasSuffix(removed) { target.removeLast(removed.count) }
      // libdispatch opens one for each clock when it first measures by it, and keeps it; nothing else here has any.
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
