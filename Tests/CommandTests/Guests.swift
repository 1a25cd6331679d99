import Foundation

/// The processes of a device's guests.
struct Guests {
  private let device: String

  /// Finds the guests of a device.
  ///
  /// - Parameter device: The device's folder.
  init(of device: String) { self.device = device }

  /// Whether at least one process has its working directory in the device's folder.
  var areRunning: Bool { count > 0 }

  /// The number of processes with their working directory in the device's folder.
  var count: Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.count { pid in
      let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
      return folder?.hasPrefix(device + "/") ?? false
    }
  }
}
