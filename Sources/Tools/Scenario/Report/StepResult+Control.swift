package import JSON
package import Model

extension StepResult {
  /// The result of the last step that begins among the journal's events; nil where none does.
  ///
  /// - Parameter returned: the texts that extensions handed back, by the number of the request.
  package init?(of events: [JournalEvent], returned: [Int: String]) {
    var open = OpenCase(suite: 0, result: CaseResult(name: ""))
    for event in events { open.add(event.kind) }
    open.add(returned: returned)
    guard let result = open.result.steps.last else { return nil }
    self = result
  }

  /// Whether the step was carried out, and all its expectations were met.
  package var holds: Bool { failures.isEmpty && expectations.allSatisfy(\.isMet) }

  /// The step as reports show it, one line each.
  package var report: [String] { lines(.plain, in: nil) }
}

extension Observation {
  /// Writes the observation as one object. Absent members are nil.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("verdict", verdict?.outcome.rawValue)
      writer.member("decidedBy", verdict?.deciding.rawValue)
      writer.member("end", end?.rawValue)
      writer.member("status", status)
      writer.member("exit", exit)
      writer.member("received", received)
      writer.member("identity", identity?.text)
      if let isManaged { writer.member("managed", isManaged) }
      writer.member("owner", owner?.text)
      if let isAccepted { writer.member("accepted", isAccepted) }
      if let sheet { Self.write(sheet, to: &writer) }
      if !returned.isEmpty {
        writer.array("returned") { writer in
          for item in returned { item.write(to: &writer) }
        }
      }
    }
  }

  private static func write(_ sheet: [SheetLine], to writer: inout JSONWriter) {
    writer.array("sheet") { writer in
      for line in sheet {
        writer.object { writer in
          writer.member("name", line.name)
          writer.member("visibility", line.visibility.rawValue)
          writer.member("why", line.why)
        }
      }
    }
  }
}
