internal import Model

/// Events that are due at certain times of the device's clock, the earliest first.
struct Agenda {
  struct ScheduledEvent {
    var time: Int
    /// Name of the guest.
    var guest: String
    var account: Account
    /// Number of the request that the service answers; nil where a request is due.
    var ticket: Int?
  }

  /// The events by time, and of one time in the order in which they were added; one for each account in an app.
  private var events: [ScheduledEvent] = []

  /// Adds an event, in place of an earlier one of the account in the app.
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

  /// The time of the next event; nil where there is none.
  var nextTime: Int? { events.first?.time }

  /// Removes and returns the next event that is due by `time`; nil where there is none.
  mutating func next(until time: Int) -> ScheduledEvent? {
    guard let first = events.first, first.time <= time else { return nil }
    return events.removeFirst()
  }
}
