internal import Cryptography
internal import JSON
internal import Model

/// Traces of OpenTelemetry as JSON (OTLP): a trace for each case, or journal without cases; in it a span for each step, and
/// one for each request.
public struct OpenTelemetryTraces {
  private let journals: [ExportedJournal]
  private let version: String

  /// Traces of journals.
  ///
  /// - Parameter version: the version of Sluice.
  public init(_ journals: [ExportedJournal], version: String) {
    self.journals = journals
    self.version = version
  }

  /// One object, a `TracesData`.
  public var json: String {
    JSONWriter.objectLine { writer in
      writer.array("resourceSpans") { writer in
        for journal in journals {
          writer.object { writer in
            writer.object("resource") { writer in
              Self.write(
                [("service.name", "sluice"), ("sluice.journal", journal.name)], to: &writer)
            }
            writer.array("scopeSpans") { writer in
              writer.object { writer in
                writer.object("scope") { writer in
                  writer.member("name", "sluice")
                  writer.member("version", version)
                }
                writer.array("spans") { writer in
                  for span in Self.spans(of: journal) { span.write(to: &writer) }
                }
              }
            }
          }
        }
      }
    }
  }

  static func write(_ attributes: [(name: String, value: String)], to writer: inout JSONWriter) {
    writer.array("attributes") { writer in
      for attribute in attributes {
        writer.object { writer in
          writer.member("key", attribute.name)
          writer.object("value") { $0.member("stringValue", attribute.value) }
        }
      }
    }
  }

  // MARK: spans

  private struct Span {
    var trace: String
    var number: String
    var parent: String?
    var name: String
    var start: UInt64
    var end: UInt64
    var attributes: [(name: String, value: String)] = []
    /// Nil where nothing says whether it went well.
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
  }

  private static func spans(of journal: ExportedJournal) -> [Span] {
    let times = journal.times
    let ends = journal.ends(times)
    var spans: [Span] = []
    var trace = identifier(journal.name, bytes: 16)
    var (open, step): (Int?, Int?) = (nil, nil)
    func close(_ index: Int?, _ time: UInt64) { if let index { spans[index].end = time } }
    for (index, (event, time)) in zip(journal.events, times).enumerated() {
      func begin(_ name: String, in parent: Int?) -> Int {
        spans.append(
          Span(
            trace: trace, number: identifier("\(journal.name) \(index)", bytes: 8),
            parent: parent.map { spans[$0].number }, name: name, start: time, end: time))
        return spans.count - 1
      }
      switch event.kind {
      case .caseBegan(let suite, let name, let criterion):
        trace = identifier("\(journal.name) \(index) \(name)", bytes: 16)
        let new = begin(name, in: nil)
        spans[new].attributes = [("sluice.suite", suite)]
        if let criterion { spans[new].attributes.append(("sluice.criterion", criterion)) }
        spans[new].isGood = true
        (open, step) = (new, nil)
      case .caseEnded:
        close(step, time)
        close(open, time)
        (open, step) = (nil, nil)
      case .stepBegan(_, let text, _):
        close(step, time)
        step = begin(text, in: open)
      case .expectation(_, let expected, let found, false, _):
        let why = "expected \(expected), found \(found)"
        for index in [open, step].compactMap(\.self) {
          spans[index].isGood = false
          spans[index].attributes.append(("sluice.failure", why))
        }
      case .stepFailed(_, let why):
        for index in [open, step].compactMap(\.self) {
          spans[index].isGood = false
          spans[index].attributes.append(("sluice.failure", why))
        }
      case .decided(let decision):
        let new = begin(decision.title, in: step ?? open)
        spans[new].attributes = decision.facts
        if let end = ends[decision.request] {
          spans[new].end = end.time
          spans[new].attributes.append(("sluice.end", end.end.rawValue))
        }
      default: break
      }
    }
    let last = times.last ?? 0
    close(step, last)
    close(open, last)
    return spans
  }

  /// The same number for the same text, in hexadecimal.
  private static func identifier(_ text: String, bytes: Int) -> String {
    sha256(Array(text.utf8)).prefix(bytes).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
