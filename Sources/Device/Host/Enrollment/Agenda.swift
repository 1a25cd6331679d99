internal import Model

/// What is to happen at certain times of the device's clock, first come first.
struct Agenda {
  struct ScheduledEvent {
    var time: Int
    /// Name of the guest.
    var guest: String
    var account: Account
    /// Number of the request that the service answers; nil: a request is due.
    var ticket: Int?
  }

  /// By time; what was added first comes first. One for each account in an app.
  private var events: [ScheduledEvent] = []

  /// What the account waited for before in the app is over.
  mutating func add(_ event: ScheduledEvent) {
    let known = events.firstIndex {
      $0.guest == event.guest && $0.account.isSame(as: event.account)
    }
    if let known {
      let same = events[known]
      guard same.time != event.time || same.ticket != event.ticket else { return }
      events.remove(at: known)
    }
    let index = events.lastIndex { $0.time <= event.time }.map { $0 + 1 } ?? 0
    events.insert(event, at: index)
  }

  /// Takes the next out that is due by then.
  mutating func next(until time: Int) -> ScheduledEvent? {
    guard let first = events.first, first.time <= time else { return nil }
    return events.removeFirst()
  }
}
