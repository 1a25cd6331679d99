internal import JSON
internal import Model
internal import Scenario

/// What happened to a guest, moment by moment.
struct Lane {
  private let guest: String
  private let app: String
  /// The number of the journal, from 0.
  private let journal: Int
  private var marks: [Mark] = []

  private struct Mark {
    var kind: Kind
    var moment: Int
    var text: String
  }

  private enum Kind: String {
    case started, suspended, resumed, exited, wiped, switched, other
  }

  /// The lanes of the guests of a recording, in the order in which they started.
  static func all(
    in recording: RecordedJournal, _ journal: Int, from moment: Int
  ) -> [Lane] {
    var lanes: [Lane] = []
    var numbers: [String: Int] = [:]
    var guests: [String: [String]] = [:]
    func lane(_ guest: String, _ app: String) -> Int {
      if let number = numbers[guest] { return number }
      lanes.append(Lane(guest: guest, app: app, journal: journal))
      numbers[guest] = lanes.count - 1
      if guest != app { guests[app, default: []].append(guest) }
      return lanes.count - 1
    }
    for (index, event) in recording.events.enumerated() {
      guard let (place, kind, text) = happening(event.kind) else { continue }
      let mark = Mark(kind: kind, moment: moment + index, text: text)
      switch place {
      case .guest(let guest, let app): lanes[lane(guest, app ?? "")].marks.append(mark)
      case .app(let app):
        // Of many guests, the app itself has a lane.
        let all = guests[app] ?? []
        let names = all.count > Self.mostGuests ? [app] : all
        for name in names { lanes[lane(name, app)].marks.append(mark) }
      }
    }
    return lanes
  }

  /// The number of an app's guests up to which each shows what happens to the app.
  private static let mostGuests = 8

  private enum Place {
    case guest(String, app: String?)
    case app(String)
  }

  private static func happening(_ kind: JournalEvent.Kind) -> (Place, Kind, String)? {
    switch kind {
    case .guestStarted(let guest, let app, _): (.guest(guest, app: app), .started, "started")
    case .guestSuspended(let guest): (.guest(guest, app: nil), .suspended, "suspended")
    case .guestResumed(let guest): (.guest(guest, app: nil), .resumed, "resumed")
    case .guestExited(let guest, let cause, let text):
      (.guest(guest, app: nil), .exited, "exited (\(cause)): \(text)")
    case .identitySwitched(let guest, let identity, _):
      (
        .guest(guest, app: nil), .switched,
        "acts for \(identity.map { $0.isEmpty ? "an unknown account" : $0 } ?? "nobody")"
      )
    case .accountWiped(let app, let account): (.app(app), .wiped, "\(account) was wiped")
    case .accountSignedIn(let app, let account, _): (.app(app), .other, "\(account) signed in")
    case .accountSignedOut(let app, let account): (.app(app), .other, "\(account) signed out")
    case .policyChanged(let app, let account, let policies):
      (
        .app(app), .other,
        "\(account) is under \(policies.isEmpty ? "no policy" : policies.joined(separator: ", "))"
      )
    case .claimIgnored(let guest, let claim, let claimed, let actual):
      (.guest(guest, app: nil), .other, "claimed \(claim) \(claimed), and has \(actual)")
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestReady, .accountEnrolled,
      .identitySwitchRequired, .accessChecked, .accountNotAllowed, .accountRenamed, .wipeAdvanced,
      .policySaved, .appConfigured, .configurationDelivered, .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .policyStated, .factsStated, .decided, .ended, .extensionCompleted, .extensionCancelled:
      nil
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("guest", guest)
      writer.member("app", app)
      writer.member("journal", journal)
      writer.array("marks") { writer in
        for mark in marks {
          writer.array { writer in
            writer.string(mark.kind.rawValue)
            writer.number(mark.moment)
            writer.string(mark.text)
          }
        }
      }
    }
  }
}
