internal import Cryptography
internal import Enrollment
internal import Transfer

/// What a device knows of enrollment and tokens beside its accounts.
struct EnrollmentDesk {
  var service: EnrollmentService
  var conditionalAccess: ConditionalAccess
  let language: ComplianceText.Language
  /// What is to happen when the clock gets there.
  var agenda = Agenda()
  /// Names of guests that start anew for their first policy.
  var restarting: Set<String> = []
  /// By the names of guests.
  var queues: [String: RemediationQueue] = [:]
  /// What tokens are signed with; nil: none has been.
  var tokenKey: P256SigningKey?

  init(_ configuration: DeviceConfiguration) {
    service = configuration.service
    conditionalAccess = configuration.conditionalAccess
    language = configuration.language
  }
}

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
