internal import CMessages
internal import CProtobufC
internal import JSON
public import Model

/// An instruction to a guest that is driven from outside.
public enum Instruction: Sendable, Equatable {
  /// No action. Only the accompanying behavior changes.
  case nothing
  /// Sends this message as the guest's own request.
  case ask(GuestMessage, InstructedContent = .stated)
  case work(FileWork, task: TaskContext?, InstructedContent = .stated)
  /// Looks up a key of the app's configuration.
  case look(ConfigurationQuestion)
  /// A user action in the app, an encoded `UserAct`; never empty.
  case act([UInt8])
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
public struct FileWork: Sendable, Hashable {
  public var kind: Kind
  public var file: FileReference
  public var content: [UInt8]
  /// The owner for `protect` and `protectData`: a UPN or an object id, `""` for none.
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
    /// another storage.
    case reprotect = 6
  }

  /// Creates an operation on `file`.
  public init(
    _ kind: Kind, _ file: FileReference, content: [UInt8] = [], owner: String = ""
  ) {
    self.kind = kind
    self.file = file
    self.content = content
    self.owner = owner
  }
}

/// A driven guest's answer to a question about its configuration.
public struct ConfigurationAnswer: Sendable, Hashable {
  /// The values as texts.
  public var values: [String]
  /// Whether targeted values for the key differ.
  public var hasConflict: Bool

  /// Creates an answer of `values`.
  public init(values: [String], hasConflict: Bool) {
    self.values = values
    self.hasConflict = hasConflict
  }
}

/// A driven guest's behavior in later calls.
public struct Behaviour: Sendable, Equatable {
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

  /// Creates a behavior. Without arguments, it changes nothing.
  public init(
    provides: Item? = nil, acceptsIdentitySwitch: Bool? = nil, wipe: WipeBehaviour? = nil,
    addsAccounts: Bool? = nil, blocksAccounts: Bool? = nil, handsBack: InstructedContent = .stated
  ) {
    self.provides = provides
    self.acceptsIdentitySwitch = acceptsIdentitySwitch
    self.wipe = wipe
    self.addsAccounts = addsAccounts
    self.blocksAccounts = blocksAccounts
    self.handsBack = handsBack
  }
}

/// A driven guest's behavior when its account is wiped. Raw values match the wire protocol.
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

// MARK: - Encoding

extension Arena {
  func perform(
    _ ask: UInt64, _ instruction: Instruction, _ behaviour: Behaviour
  ) -> UnsafeMutablePointer<Sluice__Perform> {
    let behaviour = self.behaviour(behaviour)
    return message(sluice__perform__init) {
      $0.ask = ask
      $0.behaviour = behaviour
      switch instruction {
      case .nothing: break
      case .ask(let message, let content):
        $0.message = guestMessage(message)
        $0.content = content.raw
      case .work(let work, let task, let content):
        $0.file = fileWork(work)
        $0.content = content.raw
        $0.task = task.map(self.task)
      case .look(let question): $0.configuration = self.question(question)
      case .act(let act): $0.act = bytes(act)
      }
    }
  }

  private func fileWork(_ work: FileWork) -> UnsafeMutablePointer<Sluice__FileWork> {
    message(sluice__file_work__init) {
      $0.kind = Sluice__FileWork__Kind(rawValue: work.kind.rawValue)
      $0.group = string(work.file.group)
      $0.path = bytes(work.file.path)
      $0.content = bytes(work.content)
      $0.owner = string(work.owner)
    }
  }

  private func question(
    _ question: ConfigurationQuestion
  ) -> UnsafeMutablePointer<Sluice__ConfigurationQuestion> {
    message(sluice__configuration_question__init) {
      $0.account = string(question.account)
      $0.key = string(question.key)
      $0.type = string(question.type.rawValue)
      $0.query = string(question.query.rawValue)
    }
  }

  private func behaviour(_ behaviour: Behaviour) -> UnsafeMutablePointer<Sluice__Behaviour> {
    message(sluice__behaviour__init) {
      $0.provides = behaviour.provides.map(item)
      $0.identity_switch = answer(behaviour.acceptsIdentitySwitch)
      $0.wipe = Sluice__Behaviour__Wipe(rawValue: behaviour.wipe?.rawValue ?? 0)
      $0.add_account = answer(behaviour.addsAccounts)
      $0.block_account = answer(behaviour.blocksAccounts)
      $0.hands_back = behaviour.handsBack.raw
    }
  }

  private func answer(_ isSuccess: Bool?) -> Sluice__Behaviour__Answer {
    switch isSuccess {
    case nil: SLUICE__BEHAVIOUR__ANSWER__ANSWER_UNCHANGED
    case true?: SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS
    case false?: SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED
    }
  }
}

extension InstructedContent {
  fileprivate var raw: Sluice__Perform__Content { Sluice__Perform__Content(rawValue: rawValue) }
}

// MARK: - Decoding

extension HostMessage.Body {
  static func perform(_ raw: Sluice__Perform) throws(WireError) -> Self {
    let behaviour = try raw.behaviour.map { raw throws(WireError) in try Behaviour(raw.pointee) }
    guard let content = InstructedContent(rawValue: UInt32(raw.content.rawValue)) else {
      throw .emptyMessage
    }
    let instruction: Instruction
    if let message = raw.message {
      instruction = .ask(try GuestMessage(message.pointee), content)
    } else if let file = raw.file {
      instruction = .work(
        try FileWork(file.pointee), task: raw.task.map { TaskContext($0.pointee) }, content)
    } else if let question = raw.configuration {
      instruction = .look(try ConfigurationQuestion(question.pointee))
    } else if raw.act.len > 0 {
      instruction = .act(byteArray(raw.act))
    } else {
      instruction = .nothing
    }
    return .perform(ask: raw.ask, instruction, behaviour ?? Behaviour())
  }
}

extension FileWork {
  fileprivate init(_ raw: Sluice__FileWork) throws(WireError) {
    guard let kind = Kind(rawValue: UInt32(raw.kind.rawValue)) else { throw .emptyMessage }
    self.init(
      kind, FileReference(raw.group, raw.path), content: byteArray(raw.content),
      owner: cString(raw.owner))
  }
}

extension ConfigurationQuestion {
  fileprivate init(_ raw: Sluice__ConfigurationQuestion) throws(WireError) {
    guard let type = ValueType(rawValue: cString(raw.type)),
      let query = Query(rawValue: cString(raw.query))
    else { throw .emptyMessage }
    self.init(account: cString(raw.account), key: cString(raw.key), type: type, query: query)
  }
}

/// The form of an answer among the guest's findings.
extension ConfigurationAnswer {
  /// The values, and whether they conflict, as JSON.
  public var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.array("values") { writer in for value in values { writer.string(value) } }
      writer.member("conflict", hasConflict)
    }
    return writer.bytes
  }

  /// Reads an answer; nil if `json` is not one.
  public init?(json: [UInt8]) {
    guard let object = try? JSONReader.read(json), let conflict = object["conflict"]?.bool,
      let elements = object["values"]?.array
    else { return nil }
    let values = elements.compactMap(\.string)
    guard values.count == elements.count else { return nil }
    self.init(values: values, hasConflict: conflict)
  }
}

extension Behaviour {
  fileprivate init(_ raw: Sluice__Behaviour) throws(WireError) {
    let item = try raw.provides.map { item throws(WireError) in try Item(item.pointee) }
    guard let handsBack = InstructedContent(rawValue: UInt32(raw.hands_back.rawValue)) else {
      throw .emptyMessage
    }
    self.init(
      provides: item, acceptsIdentitySwitch: Self.answer(raw.identity_switch),
      wipe: WipeBehaviour(rawValue: UInt32(raw.wipe.rawValue)),
      addsAccounts: Self.answer(raw.add_account), blocksAccounts: Self.answer(raw.block_account),
      handsBack: handsBack)
  }

  private static func answer(_ raw: Sluice__Behaviour__Answer) -> Bool? {
    switch raw {
    case SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS: true
    case SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED: false
    default: nil  // open: a C enumeration; unchanged, or an unknown number
    }
  }
}
