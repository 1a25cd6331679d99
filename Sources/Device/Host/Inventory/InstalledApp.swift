/// An app as a device remembers it while it is down.
struct InstalledApp: Sendable, Equatable {
  /// The app's name on the device.
  var name: String
  var bundleID: String
  var team: String
}
