internal import JSON
internal import Model

/// Guests as they are now.
struct GuestTable {
  private var guests = Table<String>()
  private var states: [State] = []
  private var changed: Set<Int> = []

  private struct State {
    var app: String
    var word: Word
    /// For whom the guest acts; nil: not told.
    var identity: String?
    /// How it ended last; nil: it has not.
    var exit: String?
  }

  private enum Word: String {
    case running, suspended, ended
  }

  /// The most guests: each run of an extension is one.
  private static let most = 20_000

  var running: Int { states.count { $0.word != .ended } }
  var suspended: Int { states.count { $0.word == .suspended } }

  mutating func add(_ kind: JournalEvent.Kind) {
    switch kind {
    case .guestStarted(let guest, let app, _):
      change(guest) {
        $0 = State(app: app, word: .running, identity: nil, exit: nil)
      }
    case .guestSuspended(let guest): change(guest) { $0.word = .suspended }
    case .guestResumed(let guest): change(guest) { $0.word = .running }
    case .guestExited(let guest, let cause, let text):
      change(guest) {
        $0.word = .ended
        $0.exit = "\(cause): \(text)"
      }
    case .identitySwitched(let guest, let identity, let isManaged):
      change(guest) { $0.identity = Self.words(identity, isManaged: isManaged) }
    case .decided(let decision):
      for case let end? in [decision.sender, decision.receiver] { note(end) }
    case .deviceStarted:
      // What ran before, does no longer.
      for number in states.indices where states[number].word != .ended {
        states[number].word = .ended
        changed.insert(number)
      }
    case .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected, .itemArrived, .guestReady, .claimIgnored, .accountEnrolled, .accountSignedIn,
      .accountSignedOut, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
      .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved, .appConfigured,
      .configurationDelivered, .telemetryRecorded, .declarationsApplied, .managedAppChanged,
      .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
      .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated, .ended,
      .extensionCompleted, .extensionCancelled:
      break
    }
  }

  /// Notes for whom a guest acts: an app of one account does without having switched.
  private mutating func note(_ end: Participant) {
    let words = Self.words(end.identity, isManaged: end.isManaged)
    guard let number = guests.known(end.guest), states[number].identity != words else { return }
    states[number].identity = words
    changed.insert(number)
  }

  private static func words(_ identity: String?, isManaged: Bool) -> String? {
    identity.map { name in
      (name.isEmpty ? "unknown account" : name) + (isManaged ? " (managed)" : "")
    }
  }

  private mutating func change(_ guest: String, _ body: (inout State) -> Void) {
    guard let number = guests.number(of: guest, atMost: Self.most) else { return }
    if number == states.count { states.append(State(app: "", word: .running)) }
    body(&states[number])
    changed.insert(number)
  }

  mutating func settle() { changed.removeAll(keepingCapacity: true) }

  /// Writes guests, as a member of an object.
  func write(_ part: LivePicture.Part, to writer: inout JSONWriter) {
    let numbers = part == .all ? Array(states.indices) : changed.sorted()
    guard !numbers.isEmpty else { return }
    writer.array("guests") { writer in
      for number in numbers {
        writer.array { writer in
          writer.number(number)
          writer.string(guests.values[number])
          writer.string(states[number].app)
          writer.string(states[number].word.rawValue)
          writer.string(states[number].identity ?? "")
          writer.string(states[number].exit ?? "")
        }
      }
    }
  }
}
