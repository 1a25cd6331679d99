internal import CMessages
internal import Encodings
public import Model

/// An instruction to a guest that a scenario or test drives.
public enum Instruction: Sendable, Equatable {
  /// No action. The message only changes the guest's ``Behaviour``.
  case nothing
  /// Sends this message to the device as if the guest itself requested it.
  case ask(GuestMessage, InstructedContent = .stated)
  case work(FileWork, task: TaskContext?, InstructedContent = .stated)
  /// Looks up a key in the app's configuration.
  case look(ConfigurationQuestion)
  /// Performs a user action in the app. The bytes are an encoded `UserAct` and are never empty.
  case act([UInt8])

  /// Declares the fields of the instruction in the message `Perform`. Each kind of instruction uses different fields.
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

/// The source of the content that a driven guest moves as an item or writes to a file. Raw values match the wire
/// protocol.
public enum InstructedContent: UInt32, Sendable, CaseIterable {
  /// The content that the instruction contains.
  case stated = 0
  /// The content that the guest received last, with its ownership tag.
  case received = 1
  /// The content that the guest received last, without its ownership tag, as if the user had typed it again.
  case retyped = 2
}

/// A file operation for a guest that a scenario or test drives.
public struct FileWork: Sendable, Hashable, DeclaredMessage {
  public var kind: Kind
  public var file: FileReference
  public var content: [UInt8]
  /// The account for `protect`, `protectData` and `reprotect`: a UPN or an object id, `""` for no owner.
  public var owner: String

  /// The file operation. Raw values match the wire protocol.
  public enum Kind: UInt32, Sendable, CaseIterable {
    case write = 0
    case append = 1
    case read = 2
    /// Changes the file's owner.
    case protect = 3
    /// Protects `content` for `owner`, and writes the protected data to the file.
    case protectData = 4
    /// Reads a file written by `protectData`, and decrypts its data.
    case unprotectData = 5
    /// Rewrites all files of `owner` in the guest's container, because the owner's policy now requires encryption or no
    /// longer does.
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

/// A guest's answer to a question about its app's configuration.
public struct ConfigurationAnswer: Sendable, Hashable {
  public var values: [String]
  /// Whether the configurations targeted at the app set different values for the key.
  public var hasConflict: Bool

  public init(values: [String], hasConflict: Bool) {
    self.values = values
    self.hasConflict = hasConflict
  }
}

/// The JSON form in which a guest returns its answer.
extension ConfigurationAnswer {
  /// The answer as JSON: the values, and whether they conflict.
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

/// The reactions of a driven guest to later calls.
public struct Behaviour: Sendable, Equatable, DeclaredMessage {
  /// The item that the guest provides to importing apps; nil leaves the earlier value in effect.
  public var provides: Item?
  /// Whether the guest carries out the identity switches that the SDK requires; nil leaves the earlier value in effect.
  public var acceptsIdentitySwitch: Bool?
  /// The guest's reaction to a wipe of an account's data; nil leaves the earlier value in effect.
  public var wipe: WipeBehaviour?
  /// Whether the guest signs in the accounts that the SDK asks it to add; nil leaves the earlier value in effect.
  public var addsAccounts: Bool?
  /// Whether the guest stops using the accounts that the SDK blocks; nil leaves the earlier value in effect.
  public var blocksAccounts: Bool?
  /// The content that an extension returns. `stated` selects the item in ``provides``; the other values select the
  /// content that the extension received.
  public var handsBack: InstructedContent
  /// The probabilities with which the guest fails; nil leaves the earlier values in effect.
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

/// The probabilities with which a driven guest fails when it gets an item, in hundredths of a percent, and the delay of
/// each item.
public struct Chances: Sendable, Equatable, DeclaredMessage {
  public var crash: UInt32
  public var hang: UInt32
  /// The probability that the guest allocates memory until the device kills it.
  public var hoard: UInt32
  /// The probability that an extension cancels its request, or that an app provides nothing to an importing app.
  public var refuse: UInt32
  /// The time that the guest takes for each item, in milliseconds of real time.
  public var delay: UInt32
  /// The seed of the guest's random choices. The device sets it.
  public var seed: UInt64 = 0

  /// The probability 100 percent, in hundredths of a percent.
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

  /// Whether any probability or the delay is not 0.
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
  /// Declares an optional Boolean. An unknown value is decoded as nil, which leaves the earlier value in effect.
  fileprivate mutating func field(answer number: UInt32, _ isSuccess: inout Bool?) {
    let success = SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS.rawValue
    let failed = SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED.rawValue
    let unchanged = SLUICE__BEHAVIOUR__ANSWER__ANSWER_UNCHANGED.rawValue
    let answer = word(number, isSuccess.map { $0 ? success : failed } ?? unchanged)
    isSuccess = answer == success ? true : answer == failed ? false : nil
  }
}

/// A driven guest's reaction when an account's data is to be wiped. Raw values match the wire protocol.
public enum WipeBehaviour: UInt32, Sendable, CaseIterable {
  /// The guest removes the account's files and reports success.
  case success = 1
  /// The guest reports failure. The SDK then removes the files.
  case failed = 2
  case crash = 3
  case hang = 4
  /// The guest reports success, but removes no files.
  case lie = 5
}
