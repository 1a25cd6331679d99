package import Encodings
internal import Model

/// A journal event as one line of text.
///
/// An event with a ``JournalEvent/Kind/sentence`` is shown as that sentence. Any other event is shown by
/// its name and members, without objects and lists of objects.
package struct EventLine: CustomStringConvertible, Sendable {
  package let description: String

  /// Formats a journal event. An unknown event, which a newer version wrote, is shown by its members.
  package init(_ event: JSONValue) {
    let time = event["time"]?.string.map { "\($0)  " } ?? ""
    let known = try? JournalEvent(line: event.line)
    let text = (known?.kind.sentence ?? Self.members(of: event)).inOneLine
    description = time + text
  }

  private static func members(of event: JSONValue) -> String {
    let name = event["event"]?.string ?? "event"
    let members = (event.members ?? []).filter { !["seq", "time", "event"].contains($0.name) }
    return
      ([name] + members.compactMap { member in member.value.word.map { "\(member.name)=\($0)" } })
      .joined(separator: " ")
  }
}

extension JournalEvent.Kind {
  /// The event as a sentence for the notes of a step in reports; nil for routine events.
  var sentence: String? {
    switch self {
    case .decided(let decision): decision.sentence
    case .ended(let request, let end, _, let detail):
      "request \(request) \(end.rawValue)" + (detail.map { ": \($0)" } ?? "")
    case .stepBegan(let step, let text, _): "step \(step): \(text)"
    case .faultInjected(let kind, let point, let guest):
      "the fault `\(kind.rawValue)` at `\(point.rawValue)`\(guest.map { " hits \($0)" } ?? "")"
    case .guestExited(let guest, let cause, let text):
      cause == ExitCause.stopped.code ? nil : "\(guest): \(text)"
    case .claimIgnored(let guest, let claim, let claimed, let actual):
      "\(guest) claimed \(claim) `\(claimed)`, but the \(claim) is `\(actual)`"
    case .accountSignedOut(let app, let account): "\(app): `\(account)` is signed out"
    case .accessChecked(let guest, let account, let action, let verdict):
      "\(guest): the policy of `\(account)` \(action == "warn" ? "warns" : action + "s"): "
        + "\(verdict.deciding.rawValue)"
    case .accountWiped(let app, let account): "\(app): the data of `\(account)` was wiped"
    case .wipeAdvanced(let app, let account, let state, let detail):
      "\(app): wipe of `\(account)` \(state)\(detail.map { ": \($0)" } ?? "")"
    case .accountNotAllowed(let app, let expected, let entered):
      "\(app): its configuration allows only `\(expected)`, but `\(entered)` was signed in"
    case .accountRenamed(let account, let name): "`\(account)` is `\(name)` now"
    case .delegateAsked(let guest, let call, let account, let isAccepted):
      call == "restart"
        ? "\(guest) must restart for `\(account)`\(isAccepted ? ", and restarts by itself" : "")"
        : "\(guest) was asked to \(call) `\(account)`, and \(isAccepted ? "did" : "did not")"
    case .identitySwitchRequired(let guest, let identity, let reason, let isAccepted):
      "\(guest) was asked to switch to \(identity.isEmpty ? "an unmanaged account" : "`\(identity)`")"
        + " (\(reason)), and \(isAccepted ? "did" : "did not")"
    case .extensionCancelled(let guest, _, let why): "\(guest) cancelled its request: \(why)"
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .expectation, .stepFailed,
      .caseEnded, .itemArrived, .guestStarted, .guestReady, .guestSuspended, .guestResumed,
      .accountEnrolled, .accountSignedIn, .identitySwitched, .policyChanged, .policySaved,
      .appConfigured, .configurationDelivered, .notificationPosted, .telemetryRecorded,
      .declarationsApplied,
      .managedAppChanged, .administratorInformed, .enrollmentAsked, .enrollmentAnswered,
      .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated,
      .extensionCompleted:
      nil
    }
  }
}

extension RequestDecision {
  /// A sentence with the sender, receiver and operation, the outcome, the rule, and the source of the rule's setting.
  var sentence: String {
    let ends = [sender?.guest, receiver?.guest ?? subject].compactMap(\.self)
      .joined(separator: " → ")
    let reason = verdict.reasons.first { $0.rule == verdict.deciding }
    let source = reason?.sources.map { ", \($0)" }.joined() ?? ""
    return "request \(request) \(operation.rawValue) \(ends): \(verdict.outcome.rawValue) by "
      + "\(verdict.deciding.rawValue)\(source)"
  }
}

extension JSONValue {
  /// The value as text; nil for an object or a list of objects.
  fileprivate var word: String? {
    switch kind {
    case .object: nil
    case .string(let text): text.contains(" ") || text.isEmpty ? "`\(text)`" : text
    case .array(let elements):
      elements.contains { $0.members != nil }
        ? nil : elements.compactMap(\.word).joined(separator: ",")
    case .null, .bool, .number: line
    }
  }
}

extension String {
  /// The text with U+FFFD in place of line breaks, control characters and format characters, because
  /// terminals interpret these.
  var inOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar  // open: any other category
          }
        }))
  }
}
