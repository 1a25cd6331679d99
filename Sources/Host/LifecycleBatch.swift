internal import Transfer

/// Guests that start or stop together: they are awaited as one, and the journal gets their events in their
/// order, whichever came first.
final class LifecycleBatch {
  private let guests: [Guest]
  private var events: [String: [JournalEvent.Kind]] = [:]
  private var pending: Set<String>
  private let done: () -> Void

  /// Whatever else awaits one of them is settled. `guests` must not be empty.
  init(_ guests: [Guest], done: @escaping () -> Void) {
    self.guests = guests
    pending = Set(guests.map(\.name))
    self.done = done
    for guest in guests {
      guest.batch?.settle(guest, in: guest.device)
      guest.batch = self
    }
  }

  func record(_ event: JournalEvent.Kind, of guest: Guest) {
    events[guest.name, default: []].append(event)
  }

  /// `guest` is where it was to get, or will never be.
  func settle(_ guest: Guest, in device: Device) {
    guard pending.remove(guest.name) != nil, pending.isEmpty else { return }
    for guest in guests {
      if guest.batch === self { guest.batch = nil }
      for event in events[guest.name] ?? [] { device.record(event) }
    }
    done()
  }
}
