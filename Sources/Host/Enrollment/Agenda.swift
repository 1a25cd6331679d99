internal import Transfer

/// What is to happen at certain times of the device's clock, first come first.
struct Agenda {
  struct Appointment {
    var time: Int
    /// Name of the guest.
    var guest: String
    var account: Account
    /// Number of the request that the service answers; nil: a request is due.
    var ticket: Int?
  }

  /// By time; what was added first comes first. One for each account in an app.
  private var appointments: [Appointment] = []

  /// What the account waited for before in the app is over.
  mutating func add(_ appointment: Appointment) {
    let known = appointments.firstIndex {
      $0.guest == appointment.guest && $0.account.isSame(as: appointment.account)
    }
    if let known {
      let same = appointments[known]
      guard same.time != appointment.time || same.ticket != appointment.ticket else { return }
      appointments.remove(at: known)
    }
    let index = appointments.lastIndex { $0.time <= appointment.time }.map { $0 + 1 } ?? 0
    appointments.insert(appointment, at: index)
  }

  /// Takes the next out that is due by then.
  mutating func next(until time: Int) -> Appointment? {
    guard let first = appointments.first, first.time <= time else { return nil }
    return appointments.removeFirst()
  }
}
