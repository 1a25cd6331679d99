/// The times at which containers are looked at: the fuller a container is, and the more it changes, the sooner again.
/// Times are in milliseconds of the loop's clock.
struct LookSchedule {
  private struct Appointment {
    var due: UInt64
    var interval: UInt64
    var usage: DiskUsage
  }

  private var appointments: [String: Appointment] = [:]

  /// The interval of a container that holds little.
  static let longest: UInt64 = 1_000
  /// The interval of a container that changes and has nearly all that is allowed.
  static let shortest: UInt64 = 60
  /// The interval of a container that does not change.
  static let idle: UInt64 = 8_000

  /// Containers whose time has come, those longest due first; a container that was never looked at is due at once.
  func due(_ scopes: some Sequence<String>, at now: UInt64) -> [String] {
    scopes.map { (scope: $0, due: appointments[$0]?.due ?? 0) }
      .filter { $0.due <= now }
      .sorted { ($0.due, $0.scope) < ($1.due, $1.scope) }
      .map(\.scope)
  }

  /// Makes every container due, because the disk has changed more than is known of.
  mutating func hasten(to now: UInt64) {
    appointments = appointments.mapValues { appointment in
      var sooner = appointment
      sooner.due = min(now, appointment.due)
      return sooner
    }
  }

  /// Takes note of a look.
  ///
  /// - Parameter share: the part of what is allowed that was found, 0 to 1 or more.
  mutating func didLook(at scope: String, _ usage: DiskUsage, share: Double, at now: UInt64) {
    let before = appointments[scope]
    let interval =
      before?.usage == usage
      ? min(Self.idle, (before?.interval ?? Self.longest) * 2)
      : Self.interval(share: share)
    appointments[scope] = Appointment(due: now + interval, interval: interval, usage: usage)
  }

  /// Halved with each fifth of what is allowed.
  static func interval(share: Double) -> UInt64 {
    max(shortest, longest >> UInt64(max(0, min(4, share * 5))))
  }
}
