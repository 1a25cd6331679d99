internal import Cryptography
internal import Encodings
internal import Model
package import Scenario

/// OpenTelemetry traces as JSON (OTLP): one trace for each case, and one for a journal's requests outside of cases.
///
/// A trace has a span for each step and request. A case on several devices is one trace, with the other
/// devices' parts below the first device's span.
package struct OpenTelemetryTraces {
  private let groups: [RecordedGroup]
  private let version: String

  /// Creates the traces of the groups' journals.
  ///
  /// - Parameter version: The version of Sluice.
  package init(_ groups: [RecordedGroup], version: String) {
    self.groups = groups
    self.version = version
  }

  /// The traces as a `TracesData` object.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.array("resourceSpans") { writer in
        for group in groups {
          for place in group.journals.indices { Self.write(group, place, version, to: &writer) }
        }
      }
    }
  }

  /// Writes the spans of one journal of a group.
  private static func write(
    _ group: RecordedGroup, _ place: Int, _ version: String, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.object("resource") { writer in
        write(
          [("service.name", "sluice"), ("sluice.journal", group.journals[place].name)],
          to: &writer)
      }
      writer.array("scopeSpans") { writer in
        writer.object { writer in
          writer.object("scope") { writer in
            writer.member("name", "sluice")
            writer.member("version", version)
          }
          writer.array("spans", of: spans(of: place, in: group)) { $1.write(to: &$0) }
        }
      }
    }
  }

  static func write(_ attributes: [(name: String, value: String)], to writer: inout JSONWriter) {
    writer.objects("attributes", of: attributes) { writer, attribute in
      writer.member("key", attribute.name)
      writer.object("value") { $0.member("stringValue", attribute.value) }
    }
  }

  // MARK: Spans

  fileprivate struct Span {
    var trace: String
    var number: String
    var parent: String?
    var name: String
    var start: UInt64
    var end: UInt64
    var attributes: [(name: String, value: String)] = []
    /// Whether the span succeeded; nil if unknown.
    var isGood: Bool?

    func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("traceId", trace)
        writer.member("spanId", number)
        writer.member("parentSpanId", parent)
        writer.member("name", name)
        // SPAN_KIND_INTERNAL
        writer.member("kind", 1)
        writer.member("startTimeUnixNano", String(start))
        writer.member("endTimeUnixNano", String(end))
        OpenTelemetryTraces.write(attributes, to: &writer)
        // STATUS_CODE_OK and STATUS_CODE_ERROR
        if let isGood { writer.object("status") { $0.member("code", isGood ? 1 : 2) } }
      }
    }

    fileprivate mutating func add(_ test: RecordedCase) {
      attributes.append(("sluice.suite", test.suite))
      if let criterion = test.result.criterion {
        attributes.append(("sluice.criterion", criterion))
      }
      add(failures: test.result.steps.flatMap(\.reasons))
      isGood = test.result.outcome == .passed
    }

    fileprivate mutating func add(failures: [String]) {
      guard !failures.isEmpty else { return }
      // Attribute names must be unique.
      attributes.append(("sluice.failure", failures.joined(separator: "\n")))
      isGood = false
    }
  }

  private static func spans(of place: Int, in group: RecordedGroup) -> [Span] {
    let journal = group.journals[place]
    let times = journal.times
    func span(_ event: Int, _ name: String, in parent: Span?, until end: UInt64) -> Span {
      Span(
        trace: parent?.trace ?? identifier("\(journal.name) \(event) trace", bytes: 16),
        number: identifier("\(journal.name) \(event)", bytes: 8), parent: parent?.number,
        name: name, start: times[event], end: end)
    }
    var spans: [Span] = []
    // The enclosing step or case, by the index of the first event in it.
    var parents: [(from: Int, span: Span?)] = []
    for test in journal.cases {
      let end = times[test.events.upperBound - 1]
      var root = span(test.events.lowerBound, test.result.name, in: nil, until: end)
      root.add(test)
      if let first = group.firstSpan(ofCaseAt: test.events.lowerBound, in: place),
        first.journal != place
      {
        let name = "\(group.journals[first.journal].name) \(first.events.lowerBound)"
        root.trace = identifier("\(name) trace", bytes: 16)
        root.parent = identifier(name, bytes: 8)
      }
      spans.append(root)
      parents.append((test.events.lowerBound, root))
      let ends = test.steps.dropFirst().map { times[$0] } + [end]
      for (step, (start, end)) in zip(test.result.steps, zip(test.steps, ends)) {
        var child = span(start, step.text, in: root, until: end)
        child.add(failures: step.reasons)
        spans.append(child)
        parents.append((start, child))
      }
      parents.append((test.events.upperBound, nil))
    }
    let ends = journal.ends(times)
    var parent = parents[...]
    var current: Span?
    // Events outside cases share one trace.
    let rest = identifier("\(journal.name) trace", bytes: 16)
    for (index, event) in journal.events.enumerated() {
      while let next = parent.first, next.from <= index {
        current = next.span
        parent = parent.dropFirst()
      }
      guard case .decided(let decision) = event.kind else { continue }
      let end = ends[decision.request]
      var request = span(index, decision.title, in: current, until: end?.time ?? times[index])
      if current == nil { request.trace = rest }
      request.attributes = decision.facts + (end.map { [("sluice.end", $0.end.rawValue)] } ?? [])
      spans.append(request)
    }
    return spans
  }

  /// Returns a hexadecimal identifier derived from the text.
  private static func identifier(_ text: String, bytes: Int) -> String {
    Hexadecimal.text(Array(sha256(Array(text.utf8)).prefix(bytes)))
  }
}

extension RecordedGroup {
  /// Returns the first device's span of the case that begins at the event `event` of a journal; nil if no case begins
  /// there.
  fileprivate func firstSpan(ofCaseAt event: Int, in journal: Int) -> Span? {
    cases.first { test in
      test.spans.contains { $0.journal == journal && $0.events.lowerBound == event }
    }?.spans.first
  }
}
