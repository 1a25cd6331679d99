package import Model

/// Counts a device's events, for display in a terminal.
package struct DeviceTally: Sendable {
  private var counts: [Outcome: Int] = [:]
  private var operations: [String: [Outcome: Int]] = [:]
  private var running: Set<String> = []
  private var suspended: Set<String> = []
  private var open: Set<Int> = []
  private var latest: [String] = []
  private var time = 0
  /// The number of requests decided since the rate was last updated.
  private var recent = 0
  private var rate: Double?

  /// The maximum number of blocked requests that are shown.
  private static let mostBlocks = 10

  package init() {}

  package mutating func add(_ event: JournalEvent) {
    time = event.time
    switch event.kind {
    case .guestStarted(let guest, _, _): running.insert(guest)
    case .guestExited(let guest, _, _):
      running.remove(guest)
      suspended.remove(guest)
    case .guestSuspended(let guest): suspended.insert(guest)
    case .guestResumed(let guest): suspended.remove(guest)
    case .decided(let decision): add(decision)
    case .ended(let request, _, _, _): open.remove(request)
    case .deviceStarted:
      // Processes of the previous run no longer exist.
      running = []
      suspended = []
      open = []
    case .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation, .stepFailed, .caseEnded,
      .faultInjected, .itemArrived, .guestReady, .claimIgnored, .accountEnrolled, .accountSignedIn,
      .accountSignedOut, .identitySwitched, .identitySwitchRequired, .accessChecked,
      .accountNotAllowed, .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged,
      .policySaved, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .policyStated, .factsStated, .extensionCompleted, .extensionCancelled:
      break
    }
  }

  private mutating func add(_ decision: RequestDecision) {
    let outcome = decision.verdict.outcome
    counts[outcome, default: 0] += 1
    operations[decision.operation.rawValue, default: [:]][outcome, default: 0] += 1
    open.insert(decision.request)
    recent += 1
    guard outcome == .blocked else { return }
    latest.append(decision.sentence)
    if latest.count > Self.mostBlocks { latest.removeFirst() }
  }

  /// Updates the request rate.
  ///
  /// - Parameter seconds: The time since the last update, above 0; nil for the first update.
  package mutating func takeRate(over seconds: Double?) {
    rate = seconds.map { Double(recent) / $0 }
    recent = 0
  }

  /// Returns the tally as at most `height` lines of at most `width` characters.
  package func lines(width: Int, height: Int, _ palette: Palette = .plain) -> [String] {
    let rate = rate.map { ", \(Int($0.rounded())) a second" } ?? ""
    let total = counts.values.reduce(0, +)
    let head = [
      palette.strong(
        Self.cut("\(Timestamp.text(time))  \(running.count) guests run\(suspendedText)", width)),
      Self.cut("\(total) requests\(rate), \(open.count) open", width),
      "",
    ]
    let table = operations.sorted { ($1.value.total, $0.key) < ($0.value.total, $1.key) }
      .map { Self.cut(Self.row($0.key, $0.value), width) }
    let title = Self.cut(Self.row("operation", nil), width)
    let blocks = latest.reversed().map { palette.bad(Self.cut($0, width)) }
    // A third of the height, but at least three lines, is reserved for the latest blocked requests.
    let shown = max(0, height - head.count - 3 - min(blocks.count, max(3, height / 3)))
    var lines = head + [palette.faint(title)] + table.prefix(shown)
    if !blocks.isEmpty { lines += ["", palette.faint("latest blocks")] + blocks }
    return Array(lines.prefix(height))
  }

  private var suspendedText: String {
    suspended.isEmpty ? "" : ", \(suspended.count) suspended"
  }

  private static func row(_ name: String, _ counts: [Outcome: Int]?) -> String {
    let columns: [Outcome] = [.allowed, .encrypted, .blocked]
    let numbers = columns.map { outcome in
      let text = counts.map { String($0[outcome] ?? 0) } ?? outcome.rawValue
      return String(repeating: " ", count: max(1, 10 - text.count)) + text
    }
    return name + String(repeating: " ", count: max(1, 22 - name.count)) + numbers.joined()
  }

  /// Truncates the text to `width` characters and replaces control characters, because terminals interpret them.
  private static func cut(_ text: String, _ width: Int) -> String {
    let harmless = text.inOneLine
    return harmless.count > width ? String(harmless.prefix(max(0, width - 1))) + "…" : harmless
  }
}

extension [Outcome: Int] {
  fileprivate var total: Int { values.reduce(0, +) }
}
