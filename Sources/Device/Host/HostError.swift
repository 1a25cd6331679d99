/// A failure of a device. Its cause is the device's environment, such as a full disk, or the device's description, such
/// as a duplicate name.
package struct HostError: Error, Sendable, CustomStringConvertible {
  package enum Code: Sendable {
    case folder
    /// The folder contains no device.
    case noDevice
    /// Another process, or another device of this process, has the folder open.
    case inUse
    case database
    case journal
    /// Data that must be stored cannot be written, for example because the disk is full.
    case storage
    /// A fault injected by a scenario has killed the device's host.
    case killed
    case program
    case loop
    case duplicateName
    /// The maximum number of programs is already running.
    case limit
    case entitlements
    /// Complete confinement is required, but the machine cannot provide it.
    case confinement
    /// The call requires a device that is enrolled in MDM.
    case enrollment
  }

  package var code: Code
  /// The error as a sentence, in lower case without a full stop; user input is in backticks.
  package var description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
