internal import EventLoop

/// Guests that faults keep from running, behind the back of their supervision: as a machine under load does.
final class Hindrances {
  private let supervisor: GuestSupervisor
  /// The ends of hindrances that are to end by themselves, by number.
  private var open: [Int: () -> Void] = [:]
  private var timers: [Int: Timer] = [:]
  private var last = 0

  init(supervisor: GuestSupervisor) { self.supervisor = supervisor }

  var isEmpty: Bool { open.isEmpty }

  /// Ends all hindrances at once.
  func end() {
    for number in open.keys.sorted() { end(number) }
  }

  // MARK: stopped processes

  /// Stops a guest's process for a time, in milliseconds.
  func stop(_ guest: Guest, for milliseconds: UInt64) {
    let freeze = supervisor.freeze(guest)
    begin(for: milliseconds) { [unowned supervisor] in supervisor.thaw(freeze) }
  }

  /// Holds a guest, where there is one, until something is over. What it owes may wait as long.
  ///
  /// - Parameter begin: begins it, and gets what is to be called at its end.
  func hold(_ guest: Guest?, until begin: (_ over: @escaping () -> Void) -> Void) {
    let hold = guest.map(supervisor.hold)
    let number = self.begin { [unowned supervisor] in hold.map(supervisor.release) }
    begin { [weak self] in self?.end(number) }
  }

  // MARK: slow readers

  /// Lets a guest take what it is sent slowly for a time, in milliseconds.
  func slow(_ guest: Guest, for milliseconds: UInt64) {
    guard let connection = guest.connection,
      let port = try? SlowPort(
        connection.port, on: supervisor.loop,
        onDrain: { [unowned supervisor, unowned guest] in supervisor.didDrain(guest) })
    else { return }
    connection.port = port
    begin(for: milliseconds) { [unowned supervisor] in
      guard connection.port === port, !port.isClosing else { return }
      connection.port = port.hurry()
      supervisor.didDrain(guest)
    }
  }

  // MARK: their ends

  @discardableResult
  private func begin(_ body: @escaping () -> Void) -> Int {
    last += 1
    open[last] = body
    return last
  }

  private func begin(for milliseconds: UInt64, _ body: @escaping () -> Void) {
    let number = begin(body)
    guard let timer = try? Timer(on: supervisor.loop, { [unowned self] in end(number) }) else {
      return end(number)
    }
    timers[number] = timer
    timer.start(after: milliseconds)
  }

  private func end(_ number: Int) {
    timers.removeValue(forKey: number)?.close()
    open.removeValue(forKey: number)?()
  }
}
