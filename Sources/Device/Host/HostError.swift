/// What keeps a device from working: a broken environment, never a guest.
public struct HostError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    case folder
    /// There is no device in the folder.
    case noDevice
    /// Another process has the device, or another device of this one.
    case inUse
    case database
    case journal
    /// What must be kept cannot be written: the disk is full, say.
    case storage
    case program
    case loop
    case duplicateName
    case entitlements
    /// The device is not enrolled in what it would take.
    case enrollment
  }

  public var code: Code
  /// Lower case, no full stop, user input in backticks.
  public var description: String

  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
