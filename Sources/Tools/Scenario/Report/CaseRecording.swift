package import Model

/// The remains of a case that ran: its journal, and facts that the journal does not hold.
package struct CaseRecording: Sendable {
  /// The events of this case alone; of several devices those of one after the other, each from its `device.started` on.
  package var events: [JournalEvent]
  /// The duration of the case, in real time.
  package var duration: Duration
  /// The output of the case's guests, in the order of their names; of several devices one after the other.
  package var output: [GuestOutput]
  /// The texts that extensions handed back, by the request.
  package var returned: [RequestPlace: String]
  /// The numbers of the steps with parts that were carried out at once, so that their requests have no order.
  package var unordered: Set<Int>

  /// Creates a recording of a case.
  package init(
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

/// The place of a request among those of a case.
package struct RequestPlace: Sendable, Hashable, Comparable {
  /// The name of the device; nil: the case has one.
  package var device: String?
  /// The number of the request on the device.
  package var request: Int

  /// The place of the request of that number.
  package init(device: String? = nil, request: Int) {
    self.device = device
    self.request = request
  }

  package static func < (left: RequestPlace, right: RequestPlace) -> Bool {
    (left.device ?? "", left.request) < (right.device ?? "", right.request)
  }
}

// MARK: - Output of guests

/// The output of one guest, its log and its standard error, line by line. Of many lines, the last ones.
package struct GuestOutput: Sendable, Equatable {
  /// The number of lines that are kept.
  package static let limit = 20
  /// The length of a line that is kept, in Unicode scalars.
  private static let longestLine = 1_000

  package internal(set) var guest: String
  /// The last lines, without line breaks.
  package private(set) var lines: [String] = []
  /// The number of all lines.
  package private(set) var count = 0
  /// Whether the last line has not come to its end.
  private var isOpen = false

  /// The same output, of a guest of another name.
  package func named(_ guest: String) -> GuestOutput {
    var output = self
    output.guest = guest
    return output
  }

  /// Creates the output of a guest that has written nothing.
  package init(guest: String) { self.guest = guest }

  /// The output that a guest has written, as it was kept.
  ///
  /// - Parameter count: the number of all lines.
  package init(guest: String, lines: [String], count: Int) {
    self.guest = guest
    self.lines = lines
    self.count = count
  }

  /// Adds text that was written next, which may end anywhere in a line.
  package mutating func append(_ text: String) {
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if !part.isEmpty { write(part) }
      if index < parts.count - 1 { endLine() }
    }
  }

  /// Adds whole lines, whether the last one is ended or not.
  package mutating func append(lines text: String) {
    isOpen = false
    append(text)
    isOpen = false
  }

  private mutating func endLine() {
    if !isOpen { add("") }
    isOpen = false
  }

  private mutating func write(_ part: Substring.UnicodeScalarView) {
    if !isOpen { add("") }
    isOpen = true
    let room = Self.longestLine - lines[lines.count - 1].unicodeScalars.count
    guard room > 0 else { return }
    lines[lines.count - 1].unicodeScalars.append(contentsOf: part.prefix(room))
  }

  private mutating func add(_ line: String) {
    count += 1
    if lines.count == Self.limit { lines.removeFirst() }
    lines.append(line)
  }

  /// The guest with `wrote`, and where lines are missing, the number of all lines.
  var title: String {
    let rest = count > lines.count ? " (the last \(lines.count) of \(count) lines)" : ""
    return "\(guest) wrote\(rest)"
  }
}
