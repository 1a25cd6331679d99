internal import Encodings
internal import Enrollment
internal import Model

/// An account that the SDK knows in an app, and the state of its enrollment.
final class Registration {
  var account: Account
  var machine: AccountEnrollment
  /// The last status that the SDK sent to the app's delegate; nil if there was none.
  var lastStatus: EnrollmentStatus?
  var lastCompliance: ComplianceStatus?
  /// The last status that the SDK sent to the app's delegate since the current request began; nil if there was none.
  var answer: EnrollmentStatus?
  /// The app's call that the SDK is answering or answered last: `registerAndEnroll` or `loginAndEnroll`.
  var call = EnrollmentCall.registerAndEnroll
  /// The registration's text in the database, as returned by ``text(remediation:)``.
  var saved = ""
  /// Whether the registration was restored from the database and has not yet resumed its interrupted activity.
  var isRecovered = false
  /// Whether the remediation that a shutdown of the device interrupted is silent; nil if none was interrupted.
  var remediatesSilently: Bool?

  init(_ account: Account, _ machine: AccountEnrollment) {
    self.account = account
    self.machine = machine
  }

  /// Encodes the persistent parts of the registration as JSON.
  ///
  /// - Parameter isSilent: Whether the pending remediation is silent; nil if none is pending.
  func text(remediation isSilent: Bool?) -> String {
    return JSONWriter.objectText { writer in
      switch machine.standing {
      case .unregistered: writer.member("standing", "unregistered")
      case .registered: writer.member("standing", "registered")
      case .enrolled(let revision):
        writer.member("standing", "enrolled")
        writer.member("revision", revision?.policies)
        writer.member("configurations", revision?.configurations)
      }
      machine.activity.write(to: &writer)
      writer.member("lastContact", machine.contact.last)
      if machine.contact.failures > 0 { writer.member("failures", machine.contact.failures) }
      if machine.contact.isUnasked { writer.member("unasked", true) }
      writer.member("status", lastStatus?.rawValue)
      writer.member("compliance", lastCompliance?.rawValue)
      if let isSilent { writer.member("remediatesSilently", isSilent) }
    }
  }

  /// Decodes the output of ``text(remediation:)``; nil if a required member is missing or invalid.
  convenience init?(_ account: Account, text: String) {
    guard let value = try? JSONReader.read(text),
      let standing = AccountEnrollment.Standing(value),
      let activity = AccountEnrollment.Activity(value)
    else { return nil }
    let contact = AccountEnrollment.Contact(
      last: value["lastContact"]?.int, failures: max(0, value["failures"]?.int ?? 0),
      isUnasked: value["unasked"]?.bool ?? false)
    self.init(account, AccountEnrollment(standing, activity, contact: contact))
    lastStatus = value["status"]?.int.flatMap(EnrollmentStatus.init)
    lastCompliance = value["compliance"]?.int.flatMap(ComplianceStatus.init)
    remediatesSilently = value["remediatesSilently"]?.bool
    isRecovered = true
    saved = text
  }
}

extension AccountEnrollment.Standing {
  fileprivate init?(_ value: JSONValue) {
    switch value["standing"]?.string {
    case "unregistered": self = .unregistered
    case "registered": self = .registered
    case "enrolled":
      self = .enrolled(
        revision: TargetedRevision(
          policies: value["revision"]?.string, configurations: value["configurations"]?.string))
    default: return nil  // open: any other word
    }
  }
}

extension AccountEnrollment.Activity {
  var name: String {
    switch self {
    case .idle: "idle"
    case .asking: "asking"
    case .waiting: "waiting"
    case .restarting: "restarting"
    case .wiping: "wiping"
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("activity", name)
    switch self {
    case .idle: break
    case .asking(let request): writer.member("request", request.rawValue)
    case .waiting(let time): writer.member("until", time)
    case .restarting(let request, let revision):
      writer.member("request", request.rawValue)
      writer.member("next", revision.policies)
      writer.member("nextConfigurations", revision.configurations)
    case .wiping(let cause): writer.member("cause", cause.rawValue)
    }
  }

  fileprivate init?(_ value: JSONValue) {
    let request = value["request"]?.string.flatMap(AccountEnrollment.RequestKind.init)
    switch value["activity"]?.string {
    case "idle": self = .idle
    case "asking":
      guard let request else { return nil }
      self = .asking(request)
    case "waiting":
      guard let time = value["until"]?.int else { return nil }
      self = .waiting(until: time)
    case "restarting":
      let next = TargetedRevision(
        policies: value["next"]?.string, configurations: value["nextConfigurations"]?.string)
      guard let request, let revision = next else { return nil }
      self = .restarting(request, revision: revision)
    case "wiping":
      let cause = value["cause"]?.string.flatMap(AccountEnrollment.WipeCause.init)
      guard let cause else { return nil }
      self = .wiping(cause)
    default: return nil  // open: any other word
    }
  }
}

/// A call to the SDK's enrollment API. The raw value is the call's name in telemetry.
enum EnrollmentCall: String {
  case registerAndEnroll, loginAndEnroll, deRegisterAndUnenroll

  /// The kind of notice with which the SDK answers the call.
  var kind: AccountEnrollment.Notice.Kind {
    switch self {
    case .registerAndEnroll, .loginAndEnroll: .enrollment
    case .deRegisterAndUnenroll: .unenrollment
    }
  }
}

/// An account signed in to an app, and its enrollment there.
struct StoredEnrollment: Sendable {
  var account: Account
  /// Whether the account has been enrolled in the app. If true, ``policies`` is known, and empty if no policy applies.
  var isEnrolled: Bool
  /// The policies that protect the account in this app. Each text contains a policy's name and the reason why it
  /// applies.
  var policies: [String]
}

// MARK: - Timer queue

/// Events scheduled by virtual time. Each account has at most one event in each app.
struct TimerQueue {
  struct ScheduledEvent {
    var time: Int
    var guest: String
    var account: Account
    /// The ticket of the request that the service answers at this time; nil if the app makes a request at this time.
    var ticket: Int?
  }

  /// Events in order of time; simultaneous events in order of addition.
  private var events: [ScheduledEvent] = []

  /// Adds an event. It replaces the account's earlier event in the app, if there is one.
  mutating func add(_ event: ScheduledEvent) {
    let known = events.firstIndex {
      $0.guest == event.guest && $0.account.isSameUser(as: event.account)
    }
    if let known {
      let same = events[known]
      guard same.time != event.time || same.ticket != event.ticket else { return }
      events.remove(at: known)
    }
    let index = events.lastIndex { $0.time <= event.time }.map { $0 + 1 } ?? 0
    events.insert(event, at: index)
  }

  var nextTime: Int? { events.first?.time }

  /// Removes and returns the next event due by `time`; nil if there is none.
  mutating func next(until time: Int) -> ScheduledEvent? {
    guard let first = events.first, first.time <= time else { return nil }
    return events.removeFirst()
  }
}
