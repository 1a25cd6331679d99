/// An error that keeps a device from working: a broken environment, never a guest.
package struct HostError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  package enum Code: Sendable {
    case folder
    /// There is no device in the folder.
    case noDevice
    /// Another process has the device, or another device of this process.
    case inUse
    case database
    case journal
    /// Data that must be kept cannot be written: the disk is full, say.
    case storage
    /// A fault of a scenario has killed the device's host.
    case killed
    case program
    case loop
    case duplicateName
    /// As many guests run as there may be.
    case limit
    case entitlements
    /// The machine does not confine guests in full, and that is required.
    case confinement
    /// The device is not enrolled in what the call needs.
    case enrollment
  }

  package var code: Code
  /// A sentence in lower case, without full stop, with user input in backticks.
  package var description: String

  /// Creates an error.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
