import Foundation

/// The processes of a device's guests.
struct Guests {
  private let device: String

  /// - Parameter device: The device's folder.
  init(of device: String) { self.device = device }

  /// Whether any process has its working directory in the device's folder.
  var areRunning: Bool { count > 0 }

  /// The number of these processes.
  var count: Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.count { pid in
      let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
      return folder?.hasPrefix(device + "/") ?? false
    }
  }
}
