internal import CMessages
internal import Encodings
public import Model

/// An instruction to a guest that is driven externally.
public enum Instruction: Sendable, Equatable {
  /// No action. Only the accompanying behaviour changes.
  case nothing
  /// Sends this message as the guest's own request.
  case ask(GuestMessage, InstructedContent = .stated)
  case work(FileWork, task: TaskContext?, InstructedContent = .stated)
  /// Looks up a key of the app's configuration.
  case look(ConfigurationQuestion)
  /// A user action in the app, an encoded `UserAct`; never empty.
  case act([UInt8])

  /// Declares the instruction among the fields of `Perform`. Each kind of instruction uses its own fields.
  mutating func declare(in form: inout MessageForm) throws(WireError) {
    var message: GuestMessage?
    var work: FileWork?
    var task: TaskContext?
    var question: ConfigurationQuestion?
    var content = InstructedContent.stated
    var act: [UInt8] = []
    switch self {
    case .nothing: break
    case .ask(let stated, let moved): (message, content) = (stated, moved)
    case .work(let stated, let context, let written):
      (work, task, content) = (stated, context, written)
    case .look(let stated): question = stated
    case .act(let stated): act = stated
    }
    try form.field(7, &content)
    try form.field(2, &message)
    try form.field(4, &work)
    try form.field(5, &task)
    try form.field(6, &question)
    form.field(8, &act)
    if let message {
      self = .ask(message, content)
    } else if let work {
      self = .work(work, task: task, content)
    } else if let question {
      self = .look(question)
    } else {
      self = act.isEmpty ? .nothing : .act(act)
    }
  }
}

extension ConfigurationQuestion: DeclaredMessage {
  static var blank: ConfigurationQuestion { ConfigurationQuestion(account: "", key: "") }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &account)
    form.field(2, &key)
    try form.field(3, &type)
    try form.field(4, &query)
  }
}

/// The content of an item that a driven guest moves, or of a file that it writes. Raw values match the
/// wire protocol.
public enum InstructedContent: UInt32, Sendable, CaseIterable {
  /// The content in the instruction.
  case stated = 0
  /// The content that the guest last received, with its tag.
  case received = 1
  /// The content that the guest last received, without its tag, as if retyped by the user.
  case retyped = 2
}

/// A file operation by a driven guest.
public struct FileWork: Sendable, Hashable, DeclaredMessage {
  public var kind: Kind
  public var file: FileReference
  public var content: [UInt8]
  /// The owner for `protect`, `protectData` and `reprotect`: a UPN or an object id, `""` for none.
  public var owner: String

  /// The file operation. Raw values match the wire protocol.
  public enum Kind: UInt32, Sendable, CaseIterable {
    case write = 0
    case append = 1
    case read = 2
    /// Changes the file's owner.
    case protect = 3
    /// Protects `content` for `owner`, and writes the result to the file unchanged.
    case protectData = 4
    /// Reads data written by `protectData`.
    case unprotectData = 5
    /// Protects all files of `owner` in the guest's container again, because the owner's policy requires
    /// a different form of storage.
    case reprotect = 6
  }

  public init(
    _ kind: Kind, _ file: FileReference, content: [UInt8] = [], owner: String = ""
  ) {
    self.kind = kind
    self.file = file
    self.content = content
    self.owner = owner
  }

  static var blank: FileWork { FileWork(.write, FileReference("")) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    try form.field(1, &kind)
    form.field(group: 2, path: 3, &file)
    form.field(4, &content)
    form.field(5, &owner)
  }
}

/// A driven guest's answer to a configuration question.
public struct ConfigurationAnswer: Sendable, Hashable {
  public var values: [String]
  /// Whether targeted values for the key differ.
  public var hasConflict: Bool

  public init(values: [String], hasConflict: Bool) {
    self.values = values
    self.hasConflict = hasConflict
  }
}

/// The JSON encoding of an answer, which a guest returns as content.
extension ConfigurationAnswer {
  /// The values, and whether they conflict, as JSON.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.strings("values", values)
      writer.member("conflict", hasConflict)
    }
    return writer.bytes
  }

  /// Reads an answer; nil if `json` is not an answer.
  public init?(json: [UInt8]) {
    guard let object = try? JSONReader.read(json), let conflict = object["conflict"]?.bool,
      let elements = object["values"]?.array
    else { return nil }
    let values = elements.compactMap(\.string)
    guard values.count == elements.count else { return nil }
    self.init(values: values, hasConflict: conflict)
  }
}

/// A driven guest's behaviour in later calls.
public struct Behaviour: Sendable, Equatable, DeclaredMessage {
  /// The item for importing apps; nil leaves it unchanged.
  public var provides: Item?
  /// Whether to carry out required identity switches; nil leaves this unchanged.
  public var acceptsIdentitySwitch: Bool?
  /// The action when an account's data is to be wiped; nil leaves it unchanged.
  public var wipe: WipeBehaviour?
  /// Whether to sign in accounts that the SDK needs; nil leaves this unchanged.
  public var addsAccounts: Bool?
  /// Whether to stop using accounts that the SDK blocks; nil leaves this unchanged.
  public var blocksAccounts: Bool?
  /// The result of an extension run: for `stated`, the provided item; otherwise, the received content.
  public var handsBack: InstructedContent
  /// The failures of the guest; nil leaves them unchanged.
  public var chances: Chances?

  /// Creates a behaviour. Without arguments, it changes nothing.
  public init(
    provides: Item? = nil, acceptsIdentitySwitch: Bool? = nil, wipe: WipeBehaviour? = nil,
    addsAccounts: Bool? = nil, blocksAccounts: Bool? = nil,
    handsBack: InstructedContent = .stated, chances: Chances? = nil
  ) {
    self.provides = provides
    self.acceptsIdentitySwitch = acceptsIdentitySwitch
    self.wipe = wipe
    self.addsAccounts = addsAccounts
    self.blocksAccounts = blocksAccounts
    self.handsBack = handsBack
    self.chances = chances
  }

  static var blank: Behaviour { Behaviour() }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    try form.field(1, &provides)
    form.field(answer: 2, &acceptsIdentitySwitch)
    wipe = WipeBehaviour(rawValue: form.word(3, wipe?.rawValue ?? 0))
    form.field(answer: 4, &addsAccounts)
    form.field(answer: 5, &blocksAccounts)
    try form.field(6, &handsBack)
    try form.field(7, &chances)
  }
}

/// The chances that a driven guest fails when it gets an item, in hundredths of a percent, and its delay.
public struct Chances: Sendable, Equatable, DeclaredMessage {
  public var crash: UInt32
  public var hang: UInt32
  /// The guest allocates memory until the device ends it.
  public var hoard: UInt32
  /// An extension cancels its request, and an app provides nothing to an importing app.
  public var refuse: UInt32
  /// The time that the guest takes for each item, in milliseconds of real time.
  public var delay: UInt32
  /// The seed of the draws. The device sets it.
  public var seed: UInt64 = 0

  /// The chance of 100 percent.
  public static let whole: UInt32 = 10_000

  public init(
    crash: UInt32 = 0, hang: UInt32 = 0, hoard: UInt32 = 0, refuse: UInt32 = 0, delay: UInt32 = 0
  ) {
    self.crash = crash
    self.hang = hang
    self.hoard = hoard
    self.refuse = refuse
    self.delay = delay
  }

  /// Whether the guest can fail or be delayed.
  public var isEffective: Bool {
    crash > 0 || hang > 0 || hoard > 0 || refuse > 0 || delay > 0
  }

  static var blank: Chances { Chances() }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &crash)
    form.field(2, &hang)
    form.field(3, &refuse)
    form.field(4, &delay)
    form.field(5, &seed)
    form.field(6, &hoard)
  }
}

extension MessageForm {
  /// Declares an optional answer: an unknown number leaves the behaviour unchanged.
  fileprivate mutating func field(answer number: UInt32, _ isSuccess: inout Bool?) {
    let success = SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS.rawValue
    let failed = SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED.rawValue
    let unchanged = SLUICE__BEHAVIOUR__ANSWER__ANSWER_UNCHANGED.rawValue
    let answer = word(number, isSuccess.map { $0 ? success : failed } ?? unchanged)
    isSuccess = answer == success ? true : answer == failed ? false : nil
  }
}

/// A driven guest's behaviour when its account is wiped. Raw values match the wire protocol.
public enum WipeBehaviour: UInt32, Sendable, CaseIterable {
  /// Removes the account's files and reports success.
  case success = 1
  /// Leaves the files to the SDK.
  case failed = 2
  case crash = 3
  case hang = 4
  /// Reports success without removing the files.
  case lie = 5
}
