/// The standing of a client of the control socket, by which it keeps its place or loses it to another.
package struct ClientStanding: Sendable {
  /// The process at the other end.
  package var process: Int32
  /// Whether the client has made a request yet.
  package var hasAsked: Bool
  /// Whether the client may be hung up on without loss: it waits for nothing.
  package var isIdle: Bool
  package var connected: ContinuousClock.Instant
  /// The time of the last bytes from the client.
  package var lastHeard: ContinuousClock.Instant

  /// Creates the standing of a client.
  package init(
    process: Int32, hasAsked: Bool, isIdle: Bool, connected: ContinuousClock.Instant,
    lastHeard: ContinuousClock.Instant
  ) {
    self.process = process
    self.hasAsked = hasAsked
    self.isIdle = isIdle
    self.connected = connected
    self.lastHeard = lastHeard
  }
}
