import Glibc

/// What this process holds of the system.
struct Census: Equatable {
  /// What each open descriptor is, such as `/dev/null` or `pipe:[4711]`.
  var descriptors: [String: String]
  /// Whether there is any child, running or waiting to be reaped.
  var hasChildren: Bool

  static func take() -> Census {
    // WNOWAIT leaves a child that has ended as it is (waitid(2)).
    var info = siginfo_t()
    let hasChildren = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0
    return Census(descriptors: openDescriptors(), hasChildren: hasChildren)
  }

  private static func openDescriptors() -> [String: String] {
    guard let folder = opendir("/proc/self/fd") else { return [:] }
    defer { closedir(folder) }
    var open: [String: String] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let descriptor = Int32(name), descriptor != dirfd(folder) else { continue }
      open[name] = target(of: "/proc/self/fd/" + name)
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
