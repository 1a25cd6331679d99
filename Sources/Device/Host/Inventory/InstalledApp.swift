/// An app as a device remembers it while it is down.
struct InstalledApp: Sendable, Equatable {
  /// What the device calls it.
  var name: String
  var bundleID: String
  var team: String
}
