public import Host

/// How scenarios are run, whatever is in them.
public struct RunSettings: Sendable {
  public var programs: DeviceConfiguration.Programs
  /// Where devices are made; each run makes folders of its own below it.
  public var folder: String
  /// Folder of a device that lives on, on which all cases run; nil: each runs on a fresh one.
  public var device: String?
  /// Seed instead of the scenario's; nil keeps it.
  public var seed: UInt64?
  public var trace = DeviceConfiguration.TraceMode.off
  public var journal = DeviceConfiguration.JournalMode.written
  public var requiresConfinement = false
  /// Whether reports and journals may tell what apps find in their configurations.
  public var showsValues = false
  /// How long one step may take, in milliseconds of real time.
  public var stepLimit: UInt64 = 60_000

  public init(programs: DeviceConfiguration.Programs, folder: String) {
    self.programs = programs
    self.folder = folder
  }
}
