internal import Model

/// Guests that start or stop together: they are awaited as one, and the journal gets their events in the order of the
/// guests, whichever came first.
final class LifecycleBatch {
  private let guests: [Guest]
  private var events: [String: [JournalEvent.Kind]] = [:]
  private var pending: Set<String>
  /// Guests whose turn has not come, the next one last.
  private var queue: [Guest]
  private let most: Int
  private let begin: (Guest) -> Void
  private let audit: AuditLog
  private var isAdvancing = false
  private let done: () -> Void

  /// Creates a batch, and settles the guests in earlier batches. `guests` must not be empty.
  ///
  /// - Parameters:
  ///   - most: the largest number of guests that are on their way at one time.
  ///   - begin: sends a guest on its way.
  init(
    _ guests: [Guest], audit: AuditLog, atOnce most: Int = .max, begin: @escaping (Guest) -> Void,
    done: @escaping () -> Void
  ) {
    self.guests = guests
    self.audit = audit
    self.most = most
    self.begin = begin
    self.done = done
    pending = Set(guests.map(\.name))
    queue = guests.reversed()
    for guest in guests {
      guest.process.batch?.settle(guest)
      guest.process.batch = self
    }
  }

  /// Whether the turn of some guests has not come.
  var hasQueue: Bool { !queue.isEmpty }

  func record(_ event: JournalEvent.Kind, of guest: Guest) {
    events[guest.name, default: []].append(event)
  }

  /// Sends guests on their way, as many at a time as may be.
  func advance() {
    guard !isAdvancing else { return }
    isAdvancing = true
    defer { isAdvancing = false }
    while pending.count - queue.count < most, let guest = queue.popLast() {
      guard guest.process.batch === self else { continue }
      begin(guest)
    }
  }

  /// Notes that `guest` is where it was to get, or will never be.
  func settle(_ guest: Guest) {
    guard pending.remove(guest.name) != nil else { return }
    if !guest.isRunning { queue.removeAll { $0 === guest } }
    guard pending.isEmpty else { return advance() }
    for guest in guests {
      if guest.process.batch === self { guest.process.batch = nil }
      for event in events[guest.name] ?? [] { audit.record(event) }
    }
    done()
  }
}
