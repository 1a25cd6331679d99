/// The room for clients of a control socket: the clients that make room for others. Clients are named by their place in
/// an array.
package enum ClientRoom {
  /// The number of clients at a time.
  package static let mostClients = 32
  /// The number of clients of one process at a time that have asked for nothing yet.
  package static let mostSilent = 8
  /// The time that a client has for its first request.
  package static let patience = Duration.seconds(30)

  /// The clients that are hung up on for a new one of `process`; none where there is room.
  ///
  /// First a process makes room itself: of its clients that have asked for nothing, the longest silent one goes. Then
  /// of all that wait for nothing, those go first that have asked for nothing, of them those of the process with most
  /// clients, and of them the longest silent one.
  package static func leaving(for process: Int32, among clients: [ClientStanding]) -> [Int] {
    let silent = clients.indices.filter { clients[$0].process == process && !clients[$0].hasAsked }
    if silent.count >= mostSilent {
      return silent.sorted { clients[$0].lastHeard < clients[$1].lastHeard }
        .prefix(silent.count - mostSilent + 1).map { $0 }
    }
    guard clients.count >= mostClients else { return [] }
    var crowds: [Int32: Int] = [:]
    for client in clients { crowds[client.process, default: 0] += 1 }
    let first = clients.indices.filter { clients[$0].isIdle }.min { one, other in
      let (a, b) = (clients[one], clients[other])
      if a.hasAsked != b.hasAsked { return !a.hasAsked }
      let (crowdA, crowdB) = (crowds[a.process, default: 0], crowds[b.process, default: 0])
      return crowdA == crowdB ? a.lastHeard < b.lastHeard : crowdA > crowdB
    }
    return first.map { [$0] } ?? []
  }

  /// The clients that have not asked for anything in the time for it.
  package static func overdue(
    among clients: [ClientStanding], at now: ContinuousClock.Instant
  ) -> [Int] {
    clients.indices.filter { !clients[$0].hasAsked && clients[$0].connected + patience <= now }
  }
}
