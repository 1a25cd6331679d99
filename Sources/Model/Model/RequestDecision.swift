public import Encodings

/// A decided request: its content, its participants according to the device, and the verdict.
public struct RequestDecision: Sendable, Equatable {
  /// The number of the request on the device, from 1.
  public var request: Int
  public var operation: Operation
  /// The path of the transfer; nil for operations without a choice of path.
  public var via: SharingPath?
  public var sender: Participant?
  public var receiver: Participant?
  /// The UPN of the data's owner, `""` if unknown; nil if no data moves.
  public var owner: String?
  /// The uniform type of the item; nil for a request without an item.
  public var type: String?
  /// The size of the item in bytes; nil for a request without an item.
  public var bytes: Int?
  /// The source items of this item, as numbers of the requests that delivered them to the sender. The device knows them
  /// from tags that it sealed, or from its records.
  public var from: [Int]
  /// The source items of this item according to the guest, as numbers of the earlier requests that delivered them to
  /// the guest.
  public var stated: [Int]
  /// The likely source items, as numbers of earlier requests: this item contains all or part of their content, but not
  /// their tag. Empty if the device does not compare content.
  public var likely: [Int]
  /// The account, keychain group, URL, storage location, file or app that the request names; nil if it names none.
  public var subject: String?
  /// The purpose for which the request opens a file; nil for other requests.
  public var use: FileUse?
  /// The new path of a moved file; ``subject`` is the old path. Nil for other requests.
  public var target: String?
  /// The name under which the journal has recorded the inputs of the rules; nil if no rule was evaluated or the inputs
  /// are not recorded.
  public var facts: String?
  public var verdict: ExplainedVerdict

  public init(
    request: Int, operation: Operation, via: SharingPath? = nil, sender: Participant? = nil,
    receiver: Participant? = nil, owner: String? = nil, type: String? = nil, bytes: Int? = nil,
    from: [Int] = [], stated: [Int] = [], likely: [Int] = [], subject: String? = nil,
    use: FileUse? = nil,
    target: String? = nil, facts: String? = nil, verdict: ExplainedVerdict
  ) {
    self.request = request
    self.operation = operation
    self.via = via
    self.sender = sender
    self.receiver = receiver
    self.owner = owner
    self.type = type
    self.bytes = bytes
    self.from = from
    self.stated = stated
    self.likely = likely
    self.subject = subject
    self.use = use
    self.target = target
    self.facts = facts
    self.verdict = verdict
  }
}

/// A guest that takes part in a transfer, as the device identifies it.
public struct Participant: Sendable, Equatable {
  /// The guest's name on the device.
  public var guest: String
  public var app: String
  /// The effective identity: nil if unset, `""` if unknown.
  public var identity: String?
  public var isManaged: Bool

  public init(guest: String, app: String, identity: String?, isManaged: Bool) {
    self.guest = guest
    self.app = app
    self.identity = identity
    self.isManaged = isManaged
  }
}

/// The purpose for which a guest opens a file.
public enum FileUse: String, Sendable, CaseIterable {
  /// The guest only queries the file's owner.
  case asking
  case reading
  /// Reading and writing. Existing content stays until it is overwritten.
  case updating
  /// Reading and writing a file that is created or emptied.
  case beginning
}

/// The end of a request. Each request has exactly one end, after exactly one decision.
public enum RequestEnd: String, Sendable, CaseIterable {
  /// The receiver acknowledged the item, or the device carried out the request.
  case delivered
  /// As ``delivered``, but the receiver got ciphertext.
  case deliveredEncrypted
  /// The device refused the request, because the verdict blocked it.
  case refused
  /// The request was allowed, but the receiver exited or did not accept the item in time.
  case undeliverable
  /// The request was allowed, but could not be carried out. For example, data was missing, storage failed, or the
  /// extension cancelled the request.
  case failed
}

// MARK: - Declarations

extension RequestDecision {
  /// Writes the decision's members into the open object. Omits members that are nil and lists of requests that are
  /// empty.
  public func writeMembers(to writer: inout JSONWriter) { declared(in: &writer) }

  static let blank = RequestDecision(request: 0, operation: .share, verdict: .blank)

  @discardableResult
  func declared<Form: JournalForm>(in form: inout Form) throws(Form.Failure) -> RequestDecision {
    try RequestDecision(
      request: form.request(request),
      operation: form.member("operation", operation, "the kind of request"),
      via: form.member("via", via, "kind of sharing; absent for other requests"),
      sender: form.member("sender", sender, "the sender"),
      receiver: form.member("receiver", receiver, "the receiver"),
      owner: form.member(
        "owner", owner,
        "UPN of the data's owner, empty if unknown; absent if no data moves"),
      type: form.member("type", type, "uniform type of the item"),
      bytes: form.perRequest("bytes", bytes, .count("size of the item", from: 0)),
      from: form.member(
        "from", from, unless: [],
        "numbers of the requests that delivered the item's sources, according to tags or the device's records"
      ),
      stated: form.member(
        "stated", stated, unless: [],
        "numbers of the requests that delivered the item's sources, according to the guest"),
      likely: form.member(
        "likely", likely, unless: [],
        "numbers of earlier requests whose content reappears in the item without that content's tag"
      ),
      subject: form.member(
        "subject", subject,
        "account, keychain group, URL, storage location, file or app that the request names"),
      use: form.member("use", use, "the purpose of opening the file; absent if there is none"),
      target: form.member("target", target, "path of a file after its move"),
      facts: form.member(
        "facts", facts, "name of the rules' input in the event `facts.stated`"),
      verdict: form.member("verdict", verdict, "the answer"))
  }
}

extension Participant {
  /// Writes the members into the open object in the journal's form.
  package func writeMembers(to writer: inout JSONWriter) { declared(in: &writer) }
}

extension Participant: JournalObject {
  static let title = (
    name: "participant",
    summary: "the sender or receiver of a transfer, as the device identifies it"
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

// MARK: - Templates

/// A decision without its request number and item size.
///
/// Many decisions differ only in the request number and item size, so the rest of their journal lines is encoded once.
public struct DecisionTemplate: Sendable {
  /// The encoded members between the request number and the item size.
  private let head: [UInt8]
  /// The encoded members after the item size.
  private let tail: [UInt8]

  /// Creates a template of `decision`. Each write supplies another request number and item size.
  public init(_ decision: RequestDecision) {
    var form = TemplateForm()
    decision.declared(in: &form)
    precondition(
      form.parts.count == 3,
      "a template of a decision must have two variable members, its number and its size")
    (head, tail) = (form.parts[1].bytes, form.parts[2].bytes)
  }

  /// Writes the event exactly as ``JournalEvent/write(to:)`` writes the whole decision.
  public func write(
    sequence: Int, time: Int, request: Int, bytes: Int, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      JournalEvent.writeStart(sequence: sequence, time: time, to: &writer)
      writer.member("event", JournalEventName.requestDecided.rawValue)
      writer.member("request", request)
      writer.raw(head)
      writer.member("bytes", bytes)
      writer.raw(tail)
    }
  }
}

/// Encodes the members of a decision in three parts: before the request number, between it and the item size, and after
/// the item size.
private struct TemplateForm: JournalForm {
  typealias Failure = Never

  private(set) var parts = [JSONWriter()]

  mutating func event(
    _ name: JournalEventName, in section: JournalSection, _ summary: StaticString,
    note: StaticString?
  ) {}

  mutating func member<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    parts[parts.count - 1].member(name, value, meaning())
  }

  mutating func member<Value: JournalValue & Equatable>(
    _ name: StaticString, _ value: Value, unless usual: Value,
    _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    parts[parts.count - 1].member(name, value, unless: usual, meaning())
  }

  mutating func perRequest<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) -> Value {
    parts.append(JSONWriter())
    return value
  }

  mutating func derived<Value: JournalValue>(
    _ name: StaticString, _ value: Value, _ meaning: @autoclosure () -> JournalMember.Meaning
  ) {
    parts[parts.count - 1].derived(name, value, meaning())
  }
}
