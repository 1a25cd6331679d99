import Simulation
import Testing

/// The clients that make room for others at a control socket.
@Suite struct ClientRoomTests {
  private static let start = ContinuousClock.now

  private func client(
    of process: Int32, at second: Int, hasAsked: Bool = false, isIdle: Bool = true
  ) -> ClientStanding {
    let time = Self.start + .seconds(second)
    return ClientStanding(
      process: process, hasAsked: hasAsked, isIdle: isIdle, connected: time, lastHeard: time)
  }

  @Test func `while there is room, nobody leaves`() {
    let clients = (0..<31).map { client(of: Int32($0), at: $0) }
    #expect(ClientRoom.leaving(for: 99, among: clients) == [])
    let silent = (0..<ClientRoom.mostSilent - 1).map { client(of: 7, at: $0) }
    #expect(ClientRoom.leaving(for: 7, among: silent) == [])
  }

  @Test func `a process with many silent clients makes room itself`() {
    var clients = (0..<ClientRoom.mostSilent).map { client(of: 7, at: 10 - $0) }
    clients.append(client(of: 8, at: 0))
    #expect(ClientRoom.leaving(for: 7, among: clients) == [ClientRoom.mostSilent - 1])
    #expect(ClientRoom.leaving(for: 8, among: clients) == [])
  }

  @Test func `clients that have asked are no silent ones`() {
    let clients = (0..<31).map { client(of: 7, at: $0, hasAsked: true) }
    #expect(ClientRoom.leaving(for: 7, among: clients) == [])
  }

  @Test func `the crowd of one process leaves before the only client of another`() {
    var clients = [client(of: 1, at: 0)]
    for process in 2...5 {
      clients += (0..<7).map { client(of: Int32(process), at: 100 + $0) }
    }
    clients += (0..<3).map { client(of: 5, at: 50 + $0, hasAsked: true) }
    #expect(clients.count == ClientRoom.mostClients)
    // The process 5 has ten.
    #expect(ClientRoom.leaving(for: 6, among: clients) == [22])
  }

  @Test func `who waits for an answer stays, and where all do, nobody leaves`() {
    var clients = (0..<32).map { client(of: Int32($0), at: $0, hasAsked: true, isIdle: false) }
    #expect(ClientRoom.leaving(for: 99, among: clients) == [])
    clients[17].isIdle = true
    clients[30].isIdle = true
    #expect(ClientRoom.leaving(for: 99, among: clients) == [17])
    clients[30].hasAsked = false
    #expect(ClientRoom.leaving(for: 99, among: clients) == [30])
  }

  @Test func `who asks for nothing in time leaves`() {
    let clients = [
      client(of: 1, at: 0), client(of: 1, at: 1), client(of: 1, at: 0, hasAsked: true),
    ]
    let end = Self.start + ClientRoom.patience
    #expect(ClientRoom.overdue(among: clients, at: end - .seconds(1)) == [])
    #expect(ClientRoom.overdue(among: clients, at: end) == [0])
    #expect(ClientRoom.overdue(among: clients, at: end + .seconds(1)) == [0, 1])
  }
}
