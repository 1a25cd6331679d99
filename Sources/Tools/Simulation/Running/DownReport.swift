internal import JSON

/// What became of a device that went down.
package struct DownReport: Sendable {
  /// What the device is called.
  package let device: String
  /// Guests that ran when it was told.
  package let guests: [String]
  /// Those that did not stop when they were asked, and were killed.
  package let killed: [String]
  /// Steps that nobody had begun.
  package let dropped: Int

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("down", true)
    writer.member("device", device)
    writer.array("guests") { for guest in guests { $0.string(guest) } }
    writer.array("killed") { for guest in killed { $0.string(guest) } }
    writer.member("dropped", dropped)
  }
}
