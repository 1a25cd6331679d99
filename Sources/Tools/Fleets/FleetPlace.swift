/// What a host of a fleet has to know to join it.
package struct FleetPlace: Sendable {
  /// The host's number, from 1 on.
  package var number: Int
  /// The folder of the case, that all hosts share.
  package var folder: String
  /// Where the coordinator's link listens, such as `login1:40123`.
  package var coordinator: String
  /// The address at which the host's own link listens, such as `127.0.0.1`.
  package var listening: String

  package init(number: Int, folder: String, coordinator: String, listening: String) {
    self.number = number
    self.folder = folder
    self.coordinator = coordinator
    self.listening = listening
  }
}
