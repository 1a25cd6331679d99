internal import Foundation
internal import Simulation

/// A folder to work in, removed afterwards unless it is to be kept.
enum Workshop {
  /// Where a signal ends the command, the folder is removed as well.
  static func use<Value>(
    _ options: DeviceOptions, _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    if let keep = options.keep {
      guard !FileManager.default.fileExists(atPath: keep) else {
        throw RunError("\(keep):1:1: error: the folder to keep devices in exists already [file]")
      }
      return try body(options.settings(folder: keep))
    }
    let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    try Interruption.remove(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(options.settings(folder: folder))
  }
}
