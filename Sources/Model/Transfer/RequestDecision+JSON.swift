public import JSON

extension RequestDecision {
  /// Writes the decision's members into the object that is open. Absent members are nil.
  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("request", request)
    writeHead(to: &writer)
    writer.member("bytes", bytes)
    writeTail(to: &writer)
  }

  /// The members between the request's number and the item's size.
  func writeHead(to writer: inout JSONWriter) {
    writer.member("operation", operation.rawValue)
    writer.member("via", via?.rawValue)
    sender?.write(to: &writer, as: "sender")
    receiver?.write(to: &writer, as: "receiver")
    writer.member("owner", owner)
    writer.member("type", type)
  }

  /// The members after the item's size.
  func writeTail(to writer: inout JSONWriter) {
    writer.member("subject", subject)
    writer.member(named: "verdict") { verdict.write(to: &$0) }
  }

  init(_ record: JournalRecord) throws(JournalFormatError) {
    let sender = try record.optionalRecord("sender")
    let receiver = try record.optionalRecord("receiver")
    self.init(
      request: try record.int("request"), operation: try record.word("operation"),
      via: try record.optionalWord("via"),
      sender: try sender.map(Participant.init(_:)),
      receiver: try receiver.map(Participant.init(_:)),
      owner: try record.optionalString("owner"), type: try record.optionalString("type"),
      bytes: try record.optionalInt("bytes"), subject: try record.optionalString("subject"),
      verdict: try ExplainedVerdict(record.record("verdict")))
  }
}

extension Participant {
  fileprivate func write(to writer: inout JSONWriter, as name: StaticString) {
    writer.object(name) { writer in
      writer.member("guest", guest)
      writer.member("app", app)
      writer.member("identity", identity)
      writer.member("managed", isManaged)
    }
  }

  fileprivate init(_ record: JournalRecord) throws(JournalFormatError) {
    self.init(
      guest: try record.string("guest"), app: try record.string("app"),
      identity: try record.optionalString("identity"), isManaged: try record.bool("managed"))
  }
}
