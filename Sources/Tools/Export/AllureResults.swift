internal import Cryptography
internal import JSON
internal import Model

/// Results for Allure: a file for each case, with its steps.
public struct AllureResults {
  /// The files of a results folder, by name.
  public private(set) var files: [(name: String, text: String)] = []

  /// Results of the cases of journals.
  public init(_ journals: [ExportedJournal]) {
    for journal in journals {
      for result in Self.results(of: journal) {
        files.append(("\(result.uuid)-result.json", JSONWriter.line { result.write(to: &$0) }))
      }
    }
  }

  // MARK: results

  /// What became of a case or step; `broken` is what could not be carried out.
  fileprivate enum Status: String {
    case passed, failed, broken
  }

  fileprivate struct Step {
    var name: String
    var start: UInt64
    var stop: UInt64
    var failures: [String] = []
    var status = Status.passed
    var steps: [Step] = []

    func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("status", status.rawValue)
      if !failures.isEmpty {
        writer.object("statusDetails") { $0.member("message", failures.joined(separator: "\n")) }
      }
      writer.member("stage", "finished")
      // In milliseconds.
      writer.member("start", Int(start / 1_000_000))
      writer.member("stop", Int(stop / 1_000_000))
      writer.array("steps") { writer in
        for step in steps { writer.object { step.writeMembers(to: &$0) } }
      }
    }
  }

  private struct Result {
    var uuid: String
    var suite: String
    var criterion: String?
    var test: Step

    func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("uuid", uuid)
        writer.member("historyId", AllureResults.identifier("\(suite): \(test.name)"))
        writer.member("fullName", "\(suite): \(test.name)")
        var labels = [("suite", suite), ("framework", "sluice")]
        if let criterion { labels.append(("tag", criterion)) }
        writer.array("labels") { writer in
          for (name, value) in labels {
            writer.object { writer in
              writer.member("name", name)
              writer.member("value", value)
            }
          }
        }
        test.writeMembers(to: &writer)
      }
    }
  }

  private static func results(of journal: ExportedJournal) -> [Result] {
    var results: [Result] = []
    var open: Result?
    func close(_ time: UInt64) {
      guard var result = open else { return }
      result.test.close(time)
      results.append(result)
      open = nil
    }
    for (index, (event, time)) in zip(journal.events, journal.times).enumerated() {
      switch event.kind {
      case .caseBegan(let suite, let name, let criterion):
        close(time)
        open = Result(
          uuid: identifier("\(journal.name) \(index) \(name)"), suite: suite, criterion: criterion,
          test: Step(name: name, start: time, stop: time))
      case .caseEnded: close(time)
      case .stepBegan(_, let text, _): open?.test.begin(text, time)
      case .expectation(_, let expected, let found, false, _):
        open?.test.fail("expected \(expected), found \(found)", .failed)
      case .stepFailed(_, let why): open?.test.fail(why, .broken)
      case .decided(let decision):
        open?.test.note(
          "\(decision.title), \(decision.verdict.deciding.rawValue)", time)
      default: break
      }
    }
    // A case that has not ended is broken.
    open?.test.fail("the case has not ended", .broken)
    close(journal.times.last ?? 0)
    return results
  }

  /// The same name for the same text, in the form of a UUID.
  private static func identifier(_ text: String) -> String {
    let digits = sha256(Array(text.utf8)).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }
}

extension AllureResults.Step {
  fileprivate mutating func begin(_ name: String, _ time: UInt64) {
    if !steps.isEmpty { steps[steps.count - 1].stop = time }
    steps.append(Self(name: name, start: time, stop: time))
  }

  /// Notes a request in the step that goes on.
  fileprivate mutating func note(_ name: String, _ time: UInt64) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].steps.append(Self(name: name, start: time, stop: time))
  }

  /// Notes why the case, and the step that goes on, did not pass.
  fileprivate mutating func fail(_ why: String, _ status: AllureResults.Status) {
    failures.append(why)
    if self.status != .broken { self.status = status }
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].failures.append(why)
    if steps[steps.count - 1].status != .broken { steps[steps.count - 1].status = status }
  }

  fileprivate mutating func close(_ time: UInt64) {
    if !steps.isEmpty { steps[steps.count - 1].stop = time }
    stop = time
  }
}
