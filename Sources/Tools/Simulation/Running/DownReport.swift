internal import JSON

/// The end of a device that went down.
package struct DownReport: Sendable {
  /// The name of the device.
  package let device: String
  /// The guests that ran when the device was told to go down.
  package let guests: [String]
  /// The guests that did not stop when they were asked, and were killed.
  package let killed: [String]
  /// The number of steps that had not begun.
  package let dropped: Int

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("down", true)
    writer.member("device", device)
    writer.array("guests") { for guest in guests { $0.string(guest) } }
    writer.array("killed") { for guest in killed { $0.string(guest) } }
    writer.member("dropped", dropped)
  }
}
