internal import JSON

/// What became of a device that went down.
package struct DownReport: Sendable {
  /// What the device is called.
  package var device: String
  /// Guests that ran when it was told.
  package var guests: [String] = []
  /// Those that did not stop when they were asked, and were killed.
  package var killed: [String] = []
  /// Steps that nobody had begun.
  package var dropped = 0

  init(device: String) { self.device = device }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("down", true)
    writer.member("device", device)
    writer.array("guests") { for guest in guests { $0.string(guest) } }
    writer.array("killed") { for guest in killed { $0.string(guest) } }
    writer.member("dropped", dropped)
  }
}
