/// The device that every case of a scenario begins with.
public struct DeviceSpecification: Sendable, Equatable {
  /// Identifier of the device, as tags and journal name it.
  public var name: String
  /// What the virtual clock shows at first, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  public var seed: UInt64
  /// Whether an MDM manages the device.
  public var isMDMEnrolled: Bool
  /// Restriction of the MDM's profile; true is Apple's default.
  public var allowOpenFromManagedToUnmanaged: Bool

  /// An unenrolled iPhone on New Year's Day 2026.
  public init(
    name: String = "iPhone", time: Int = 1_767_225_600, seed: UInt64 = 1,
    isMDMEnrolled: Bool = false, allowOpenFromManagedToUnmanaged: Bool = true
  ) {
    self.name = name
    self.time = time
    self.seed = seed
    self.isMDMEnrolled = isMDMEnrolled
    self.allowOpenFromManagedToUnmanaged = allowOpenFromManagedToUnmanaged
  }
}
