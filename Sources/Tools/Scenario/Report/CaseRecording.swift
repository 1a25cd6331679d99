public import Model

/// The remains of a case that ran: its journal, and facts that the journal does not hold.
public struct CaseRecording: Sendable {
  /// The events of this case alone; of several devices those of one after the other, each from its `device.started` on.
  public var events: [JournalEvent]
  /// The duration of the case, in real time.
  public var duration: Duration
  /// The output of the case's guests, in the order of their names; of several devices one after the other.
  public var output: [GuestOutput]
  /// The texts that extensions handed back, by the request.
  public var returned: [RequestPlace: String]
  /// The numbers of the steps with parts that were carried out at once, so that their requests have no order.
  public var unordered: Set<Int>

  /// Creates a recording of a case.
  public init(
    events: [JournalEvent], duration: Duration, output: [GuestOutput] = [],
    returned: [RequestPlace: String] = [:], unordered: Set<Int> = []
  ) {
    self.events = events
    self.duration = duration
    self.output = output
    self.returned = returned
    self.unordered = unordered
  }

  /// Adds what happened on a device.
  ///
  /// - Parameter device: the name of the device; nil: there is one.
  package mutating func add(
    _ events: [JournalEvent], of device: String?, output: [GuestOutput], returned: [Int: String]
  ) {
    self.events += events
    for var output in output {
      if let device { output.guest = "\(device)/\(output.guest)" }
      self.output.append(output)
    }
    for (request, text) in returned {
      self.returned[RequestPlace(device: device, request: request)] = text
    }
  }

  /// The events of each of several devices, with its name; nil where there is one.
  package var byDevice: [(device: String, events: ArraySlice<JournalEvent>)]? { events.byDevice }
}

extension [JournalEvent] {
  /// The events of each of several devices, of which each begins with its `device.started`, with its name; nil where there is
  /// one.
  package var byDevice: [(device: String, events: ArraySlice<JournalEvent>)]? {
    var parts: [(device: String, events: ArraySlice<JournalEvent>)] = []
    for (index, event) in enumerated() {
      if case .deviceStarted(let device, _) = event.kind, parts.last?.device != device {
        parts.append((device: device, events: self[index..<index]))
      }
      guard let last = parts.indices.last else { return nil }
      parts[last].events = self[parts[last].events.startIndex...index]
    }
    return parts.count > 1 ? parts : nil
  }
}
