internal import Diagnostics
internal import EventLoop
internal import Foundation
internal import Host
internal import Simulation

/// A folder to work in, removed afterwards unless it is to be kept.
enum Workshop {
  /// Calls `body` with the settings of the folder. However the command ends, no process of its guests is left; where a
  /// signal ends it, the folder is removed as well.
  ///
  /// - Throws: ``RunError`` where `body` throws, the folder exists already, or it cannot be removed.
  ///
  /// - Parameter parent: the folder in which one is made that is not kept, with the last slash.
  static func use<Value>(
    _ options: DeviceOptions, in parent: String = NSTemporaryDirectory(),
    _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    try use(keeping: options.keep, in: parent, options.settings(folder:), body)
  }

  /// The same for devices that nobody keeps, as they are made without options.
  static func use<Value>(
    _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    try use(
      keeping: nil, in: NSTemporaryDirectory(), { RunSettings(programs: .installed(), folder: $0) },
      body)
  }

  private static func use<Value>(
    keeping keep: String?, in parent: String, _ settings: (_ folder: String) -> RunSettings,
    _ body: (RunSettings) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    Orphans.adopt()
    if let keep {
      guard !FileManager.default.fileExists(atPath: keep) else {
        throw RunError(.file(keep), "the folder to keep devices in exists already", rule: "file")
      }
      try Interruption.cleanUp(removing: nil)
      return try body(settings(keep))
    }
    let folder = parent + "sluice-\(UUID().uuidString)"
    try Interruption.cleanUp(removing: folder)
    let value: Value
    do throws(RunError) {
      value = try body(settings(folder))
    } catch {
      // The first of two errors is the one to act on; the other is printed, too.
      do throws(RunError) { try remove(folder) } catch { Failure.print(error.description) }
      throw error
    }
    try remove(folder)
    return value
  }

  private static func remove(_ folder: String) throws(RunError) {
    do throws(HostError) {
      try FolderRemoval(folder).run()
    } catch {
      throw RunError(.command, "\(error)", rule: "folder", fault: .own)
    }
  }
}
