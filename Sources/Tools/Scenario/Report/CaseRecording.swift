package import Model

/// The recording of a case that ran. It consists of the case's journal and facts that are not in the journal.
package struct CaseRecording: Sendable {
  /// The case's events. If there are several devices, the events are grouped by device, and each group starts with
  /// `device.started`.
  package var events: [JournalEvent]
  /// The case's duration in real time.
  package var duration: Duration
  /// The guests' output, sorted by name. If there are several devices, it is sorted by device first.
  package var output: [GuestOutput]
  /// The texts that extensions returned, keyed by request.
  package var returned: [RequestPlace: String]
  /// The numbers of steps with concurrent parts. The requests of these steps have no defined order.
  package var unordered: Set<Int>

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

  /// Adds the events of a device, its guests' output, and the texts that its extensions returned.
  ///
  /// - Parameter device: The device's name; nil if there is only one device.
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

  package var byDevice: [(device: String, events: ArraySlice<JournalEvent>)]? { events.byDevice }
}

extension [JournalEvent] {
  /// The name and events of each device. Nil if there is only one device, or if the first event is not
  /// `device.started`.
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

/// The identity of a request within a case.
package struct RequestPlace: Sendable, Hashable, Comparable {
  /// The device's name; nil if the case has only one device.
  package var device: String?
  package var request: Int

  package init(device: String? = nil, request: Int) {
    self.device = device
    self.request = request
  }

  package static func < (left: RequestPlace, right: RequestPlace) -> Bool {
    (left.device ?? "", left.request) < (right.device ?? "", right.request)
  }
}

// MARK: - Guest output

/// The last lines of a guest's log, standard output and standard error.
package struct GuestOutput: Sendable, Equatable {
  /// The maximum number of lines kept.
  package static let limit = 20
  /// The maximum length of a line that is kept, in Unicode scalars.
  private static let longestLine = 1_000

  package internal(set) var guest: String
  /// The last lines that were written, without line breaks.
  package private(set) var lines: [String] = []
  /// The number of all lines, including dropped lines.
  package private(set) var count = 0
  /// Whether the last line is still incomplete.
  private var isOpen = false

  package func named(_ guest: String) -> GuestOutput {
    var output = self
    output.guest = guest
    return output
  }

  package init(guest: String) { self.guest = guest }

  /// Restores output that was kept earlier.
  ///
  /// - Parameter count: The number of all lines, including dropped lines.
  package init(guest: String, lines: [String], count: Int) {
    self.guest = guest
    self.lines = lines
    self.count = count
  }

  /// Appends the next chunk of text, which may end in the middle of a line.
  package mutating func append(_ text: String) {
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if !part.isEmpty { write(part) }
      if index < parts.count - 1 { endLine() }
    }
  }

  /// Appends complete lines. The last line need not end with a line break.
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

  /// The guest's name followed by `wrote`, and the number of all lines if lines were dropped.
  var title: String {
    let rest = count > lines.count ? " (the last \(lines.count) of \(count) lines)" : ""
    return "\(guest) wrote\(rest)"
  }
}
