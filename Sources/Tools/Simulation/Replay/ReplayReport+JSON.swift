internal import JSON
internal import Model
internal import Scenario

extension ReplayReport {
  /// The report as one JSON object in a line.
  public var json: String {
    JSONWriter.objectLine { writer in
      writer.member("journal", journal)
      writer.member("suite", caseName?.suite)
      writer.member("case", caseName?.name)
      writer.member("decided", decided)
      writer.member("differing", differences.reduce(0) { $0 + $1.count })
      writer.array("differences") { writer in
        for difference in differences { writer.object { difference.writeMembers(to: &$0) } }
      }
      Self.write(besides.noTransfers, to: &writer, as: "noTransfers")
      Self.write(besides.withoutRules, to: &writer, as: "withoutRules")
      Self.write(besides.withoutFacts, to: &writer, as: "withoutFacts")
      switch scope {
      case .all?: writer.member("policiesFor", "allApps")
      case .named(let others)?:
        writer.member("policiesFor", "namedApps")
        writer.array("underNone") { writer in for app in others { writer.string(app) } }
      case nil: break
      }
      if isCutOff { writer.member("cutOff", true) }
    }
  }

  private static func write(
    _ counts: [Operation: Int], to writer: inout JSONWriter, as name: StaticString
  ) {
    writer.object(name) { writer in
      for (operation, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        writer.member(named: operation.rawValue) { $0.number(count) }
      }
    }
  }
}

extension ReplayReport.Difference {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("change", change.rawValue)
    writer.member("count", count)
    writer.member("channel", channel.rawValue)
    writer.member("sender", sender)
    writer.member("receiver", receiver)
    writer.member("owner", owner)
    writer.member("setting", reason?.setting)
    writer.member("value", reason?.value)
    writer.member("source", reason?.source)
    for (name, verdict) in [("was", was), ("now", now)] {
      writer.member(named: name) { writer in
        writer.object { writer in
          writer.member("outcome", verdict.outcome.rawValue)
          writer.member("decidedBy", verdict.deciding.rawValue)
        }
      }
    }
    writer.member("line", line)
    writer.member("request", request)
  }
}
