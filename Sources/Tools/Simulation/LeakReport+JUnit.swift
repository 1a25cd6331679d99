package import Leaks
internal import Model
internal import Scenario

extension LeakReport {
  /// The report as JUnit XML: a case that fails for each leak, or one that passes where there is none; a case
  /// that passes for each target app that is not reached.
  ///
  /// - Parameter file: the scenario's file, or the policies'.
  package func junit(of file: String) -> String {
    var builder = ReportBuilder()
    if isClean, unreached.isEmpty {
      builder.add(Self.recording("no data of a managed account leave", []), file: file)
    }
    for app in unreached {
      builder.add(Self.recording("data do not reach \(app)", []), file: file)
    }
    for leak in leaks {
      let device = leak.condition.map { ["where \($0)"] } ?? []
      let way = device + leak.hops.map { $0.text + ($0.why.map { ": \($0)" } ?? "") }
      let expectation = JournalEvent.Kind.expectation(
        step: 1, expected: "no way there", found: way.joined(separator: "; "), isMet: false)
      builder.add(
        Self.recording("data of \(leak.owner.upn) reach \(leak.sink.text)", [expectation]),
        file: file)
    }
    return builder.report.junit()
  }

  /// A case of one step, which found this.
  private static func recording(_ name: String, _ found: [JournalEvent.Kind]) -> CaseRecording {
    let kinds =
      [
        .caseBegan(suite: "leaks", name: name, criterion: nil),
        .stepBegan(step: 1, text: "search all ways"),
      ] + found + [JournalEvent.Kind.caseEnded]
    let events = kinds.enumerated().map {
      JournalEvent(sequence: $0.offset + 1, time: 0, kind: $0.element)
    }
    return CaseRecording(events: events, duration: .zero)
  }
}
