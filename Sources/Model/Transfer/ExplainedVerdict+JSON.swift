public import JSON

extension ExplainedVerdict {
  /// Writes the verdict as the journal and the reports show it. Absent members are nil.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("outcome", outcome.rawValue)
      writer.member("decidedBy", deciding.rawValue)
      writer.array("reasons") { writer in
        for reason in reasons { reason.write(to: &writer) }
      }
      writer.array("changes") { writer in
        for change in changes { writer.string(change) }
      }
    }
  }
}

extension Explanation {
  /// Writes the reason as an object. `assumed` is there only where it is true.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("rule", rule.rawValue)
      writer.member("side", side.rawValue)
      writer.member("setting", setting)
      writer.member("label", label)
      writer.member("value", value)
      writer.member("source", source)
      writer.member("text", text)
      if isAssumed { writer.member("assumed", true) }
    }
  }
}

extension ExplainedVerdict {
  init(_ record: JournalRecord) throws(JournalFormatError) {
    var reasons: [Explanation] = []
    for reason in try record.records("reasons") { reasons.append(try Explanation(reason)) }
    self.init(
      outcome: try record.word("outcome"), deciding: try record.word("decidedBy"),
      reasons: reasons, changes: try record.strings("changes"))
  }
}

extension Explanation {
  init(_ record: JournalRecord) throws(JournalFormatError) {
    self.init(
      rule: try record.word("rule"), side: try record.word("side"),
      setting: try record.optionalString("setting"), label: try record.optionalString("label"),
      value: try record.optionalString("value"), source: try record.optionalString("source"),
      text: try record.string("text"), isAssumed: try record.optionalBool("assumed") ?? false)
  }
}
