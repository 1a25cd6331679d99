internal import ArgumentParser
internal import Foundation
internal import Host
internal import Simulation

/// How devices are made.
struct DeviceOptions: ParsableArguments {
  @Option(help: "Seed of the devices, instead of the scenarios'.")
  var seed: UInt64?

  @Option(
    help: "Write pids, times and standard error of the guests to this file; - for standard error.")
  var trace: String?

  @Option(help: "Keep the devices' folders, with their journals, in this new folder.")
  var keep: String?

  @Flag(help: "Have every journal line on the disk before anybody hears of it.")
  var durable = false

  @Flag(help: "Refuse to run guests where the kernel cannot confine them fully.")
  var requireConfinement = false

  /// The settings for devices that are made in `folder`.
  func settings(folder: String) -> RunSettings {
    var settings = RunSettings(programs: .installed(), folder: folder)
    settings.seed = seed
    settings.trace = trace.map { $0 == "-" ? .standardError : .file($0) } ?? .off
    settings.journal = durable ? .synchronized : .written
    settings.requiresConfinement = requireConfinement
    return settings
  }
}

/// A folder to work in, removed afterwards unless it is to be kept.
enum Workshop {
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
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(options.settings(folder: folder))
  }
}
