public import Host
public import SystemCalls

/// The way in which scenarios are run, independent of their contents.
public struct RunSettings: Sendable {
  public var programs: DeviceConfiguration.Programs
  /// The folder in which devices are made; each run makes folders of its own in it.
  public var folder: String
  /// The folder of a device that lives on, on which all cases run; nil: each case runs on a fresh device.
  public var device: String?
  /// The seed in place of the scenario's; nil: the scenario's.
  public var seed: UInt64?
  public var trace = DeviceConfiguration.TraceMode.off
  public var journal = DeviceConfiguration.JournalMode.written
  /// The facts by which the journal tells what items came from.
  public var lineage = DeviceConfiguration.Lineage.tags
  /// Whether the journal has the machine's time, too.
  public var realTime = DeviceConfiguration.RealTime.untold
  public var requiresConfinement = false
  /// The strictness of the filter of system calls for programs that are not Sluice's own.
  public var systemCalls = SystemCallProfile.Strictness.strict
  /// Whether reports and journals may show the values that apps find in their configurations.
  public var showsValues = false
  /// What the machine's clock shows, for devices that begin with it, in seconds since 1970-01-01T00:00:00Z; nil: what it shows
  /// when the device comes up.
  var machineTime: Int?
  /// The time that one step may take, in milliseconds of real time.
  public var stepLimit: UInt64 = 60_000

  /// Creates settings with which each case runs on a fresh device below `folder`.
  public init(programs: DeviceConfiguration.Programs, folder: String) {
    self.programs = programs
    self.folder = folder
  }
}
