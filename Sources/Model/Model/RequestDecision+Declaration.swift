public import JSON

extension RequestDecision {
  /// Writes the decision's members into the open object. Members that are nil are left out.
  public func writeMembers(to writer: inout JSONWriter) { declared(in: &writer) }

  static let blank = RequestDecision(request: 0, operation: .share, verdict: .blank)

  /// The declaration of all members of a decision, in one place.
  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> RequestDecision {
    try RequestDecision(
      request: form.request(request),
      operation: form.member("operation", operation, "what was asked"),
      via: form.member("via", via, "path of a transfer; absent for what knows none"),
      sender: form.member("sender", sender, "where it comes from"),
      receiver: form.member("receiver", receiver, "where it goes"),
      owner: form.member(
        "owner", owner,
        "UPN of the data's owner, empty when unknown; absent where nothing moves"),
      type: form.member("type", type, "uniform type of the item"),
      bytes: form.perRequest("bytes", bytes, .count("size of the item", from: 0)),
      from: form.member(
        "from", from, unless: [],
        "items that it came from, by their tags or the device's records: numbers of requests"),
      stated: form.member(
        "stated", stated, unless: [],
        "items that it was made of, as the guest says: numbers of requests"),
      likely: form.member(
        "likely", likely, unless: [],
        "items whose content it repeats without their tags: numbers of requests"),
      subject: form.member(
        "subject", subject,
        "account, keychain group, URL, storage location, file or app that the request names"),
      use: form.member("use", use, "what the file is opened for; absent where none is"),
      target: form.member("target", target, "place of a file after its move"),
      facts: form.member(
        "facts", facts, "name under which the journal states what the rules were asked"),
      verdict: form.member("verdict", verdict, "the answer"))
  }
}

extension Participant {
  /// Writes the members into the open object, as the journal has them.
  package func writeMembers(to writer: inout JSONWriter) { declared(in: &writer) }
}

extension Participant: JournalObject {
  static let title = (
    name: "participant", summary: "one end of a transfer, as the device stamped it"
  )
  static let blank = Participant(guest: "", app: "", identity: nil, isManaged: false)

  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> Participant {
    try Participant(
      guest: form.guest(guest), app: form.app(app), identity: form.identity(identity),
      isManaged: form.member(
        "managed", isManaged, "whether a policy applies to the identity in the app"))
  }
}
