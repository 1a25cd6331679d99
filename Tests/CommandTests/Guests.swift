import Foundation

/// The processes of a device's guests, as the system knows them.
struct Guests {
  private let device: String

  /// - Parameter device: the device's folder.
  init(of device: String) { self.device = device }

  /// Whether any process works in the device's folder.
  var areRunning: Bool { count > 0 }

  /// How many processes do.
  var count: Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.count { pid in
      let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
      return folder?.hasPrefix(device + "/") ?? false
    }
  }
}
