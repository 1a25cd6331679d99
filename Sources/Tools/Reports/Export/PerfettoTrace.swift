internal import Model
package import Scenario

/// A Perfetto trace: one track for each guest, with its running times and requests.
///
/// Flows connect a request's sender to its receiver, and to later requests that forward the item.
package struct PerfettoTrace {
  private var trace = Protobuf()
  private var tracks: [String: UInt64] = [:]
  private var journal = 0

  package var bytes: [UInt8] { trace.bytes }

  /// Creates a trace that shows the journals from top to bottom.
  package init(_ journals: [RecordedJournal]) {
    for journal in journals { add(journal) }
  }

  // The numbers of fields and values are from Perfetto's trace_packet.proto, track_descriptor.proto and
  // track_event.proto.

  private enum Kind: UInt64 {
    case begin = 1, end = 2, instant = 3
  }

  private mutating func add(_ recorded: RecordedJournal) {
    journal += 1
    tracks = [:]
    let device = describe(recorded.name, below: nil)
    let times = recorded.times
    var running: Set<String> = []
    for (event, time) in zip(recorded.events, times) {
      switch event.kind {
      case .guestStarted(let guest, _, _):
        running.insert(guest)
        write(.begin, "runs", on: track(guest, device), at: time)
      case .guestExited(let guest, let cause, let text):
        if running.remove(guest) == nil { break }
        write(.end, nil, on: track(guest, device), at: time, [("cause", cause), ("text", text)])
      case .guestSuspended(let guest): mark("suspended", guest, device, time)
      case .guestResumed(let guest): mark("resumed", guest, device, time)
      case .identitySwitched(let guest, let identity, _):
        mark("acts for \(identity ?? "no account")", guest, device, time)
      case .caseBegan(_, let name, _): write(.begin, name, on: device, at: time)
      case .caseEnded: write(.end, nil, on: device, at: time)
      case .stepBegan(_, let text, _): write(.instant, text, on: device, at: time)
      case .decided(let decision): add(decision, device, time)
      case .deviceStarted, .deviceStopped, .clockRead, .expectation, .stepFailed, .faultInjected,
        .itemArrived, .guestReady, .claimIgnored, .accountEnrolled, .accountSignedIn,
        .accountSignedOut, .identitySwitchRequired, .accessChecked, .accountNotAllowed,
        .accountRenamed, .wipeAdvanced, .accountWiped, .policyChanged, .policySaved, .appConfigured,
        .configurationDelivered, .notificationPosted, .telemetryRecorded, .declarationsApplied,
        .managedAppChanged,
        .administratorInformed, .delegateAsked, .enrollmentAsked, .enrollmentAnswered,
        .complianceAnswered, .remediationLooped, .policyAbsent, .policyStated, .factsStated, .ended,
        .extensionCompleted, .extensionCancelled:
        break
      }
    }
    for guest in running.sorted() {
      write(.end, nil, on: track(guest, device), at: (times.last ?? 0) + 1_000)
    }
  }

  private mutating func mark(_ name: String, _ guest: String, _ device: UInt64, _ time: UInt64) {
    write(.instant, name, on: track(guest, device), at: time)
  }

  private mutating func add(_ decision: RequestDecision, _ device: UInt64, _ time: UInt64) {
    // Each item is a flow that connects its creation to all requests that forward it.
    let flows = (decision.from + [decision.request]).map {
      // Truncate the request number, because a journal may contain any number.
      UInt64(journal) << 32 | UInt64(UInt32(truncatingIfNeeded: $0))
    }
    let ends = [decision.sender, decision.receiver].compactMap(\.self)
    for (place, participant) in ends.enumerated() {
      write(
        .instant, decision.title, on: track(participant.guest, device),
        at: time + UInt64(place), decision.facts, flows)
    }
    if ends.isEmpty { write(.instant, decision.title, on: device, at: time, decision.facts) }
  }

  private mutating func track(_ guest: String, _ device: UInt64) -> UInt64 {
    if let track = tracks[guest] { return track }
    let track = describe(guest, below: device)
    tracks[guest] = track
    return track
  }

  /// Adds the descriptor of a new track, and returns the track's number.
  private mutating func describe(_ name: String, below parent: UInt64?) -> UInt64 {
    let number = UInt64(journal) << 32 | UInt64(tracks.count + (parent == nil ? 0 : 1))
    trace.message(1) { packet in
      packet.number(10, 1)
      packet.message(60) { track in
        track.number(1, number)
        track.text(2, name)
        if let parent { track.number(5, parent) }
      }
    }
    return number
  }

  private mutating func write(
    _ kind: Kind, _ name: String?, on track: UInt64, at time: UInt64,
    _ facts: [(name: String, value: String)] = [], _ flows: [UInt64] = []
  ) {
    trace.message(1) { packet in
      packet.number(8, time)
      packet.number(10, 1)
      packet.message(11) { event in
        for fact in facts {
          event.message(4) { annotation in
            annotation.text(6, fact.value)
            annotation.text(10, fact.name)
          }
        }
        event.number(9, kind.rawValue)
        event.number(11, track)
        event.text(22, "sluice")
        if let name { event.text(23, name) }
        for flow in flows { event.fixed(47, flow) }
      }
    }
  }
}

// MARK: - Protobuf

/// A minimal encoder for protobuf messages with few fields set.
private struct Protobuf {
  private(set) var bytes: [UInt8] = []

  mutating func number(_ field: UInt64, _ value: UInt64) {
    varint(field << 3)
    varint(value)
  }

  mutating func fixed(_ field: UInt64, _ value: UInt64) {
    varint(field << 3 | 1)
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ field: UInt64, _ text: String) { data(field, Array(text.utf8)) }

  mutating func message(_ field: UInt64, _ fill: (inout Protobuf) -> Void) {
    var message = Protobuf()
    fill(&message)
    data(field, message.bytes)
  }

  private mutating func data(_ field: UInt64, _ data: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(data.count))
    bytes += data
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
