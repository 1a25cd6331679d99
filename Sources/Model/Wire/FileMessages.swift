/// The place of a file: below the guest's own container, or below that of an app group.
public struct FileReference: Sendable, Hashable {
  /// The app group; `""` for the guest's own container.
  public var group: String
  /// The path relative to the container, as bytes: file systems know no characters.
  public var path: [UInt8]

  /// A reference to the file at `path`.
  public init(_ path: [UInt8], group: String = "") {
    self.path = path
    self.group = group
  }

  /// A reference to the file at `path`.
  public init(_ path: String, group: String = "") { self.init(Array(path.utf8), group: group) }
}

/// The purpose for which a file is opened. Raw values are the wire's.
public enum FileMode: UInt32, Sendable, CaseIterable {
  case read = 0
  /// Reading and writing a file that exists.
  case update = 1
  /// Reading and writing a file, which is made where it is missing.
  case create = 2
  /// Reading and writing a file that is made, or emptied: its owner is fixed anew.
  case truncate = 3
}

/// A file to be opened.
public struct OpenFile: Sendable, Hashable {
  public var file: FileReference
  public var mode: FileMode
  /// The owner of a file that begins: a UPN or an object id, `""` for no owner; nil for the task's acting identity.
  public var owner: String?
  /// Whether this is only a question: whose the file is, and where `owner` is stated, whether it is that account's and
  /// stored as the account's policy asks.
  public var isQuestion: Bool

  /// A request to open `file` for `mode`.
  public init(
    _ file: FileReference, mode: FileMode, owner: String? = nil, isQuestion: Bool = false
  ) {
    self.file = file
    self.mode = mode
    self.owner = owner
    self.isQuestion = isQuestion
  }
}

/// The owner of a file or a piece of data, and the key to read it.
public struct FileGrant: Sendable, Hashable {
  /// The owner's UPN; `""` where there is none.
  public var ownerUPN: String
  public var ownerObjectID: String
  public var ownerTenantID: String
  /// Whether a policy applies to the owner in the guest's app.
  public var isManaged: Bool
  /// The key of 32 bytes where the content is encrypted, otherwise empty.
  public var key: [UInt8]
  /// The header with which data protected with the key must begin.
  public var header: [UInt8]
  /// Whether the owner is the account that was asked for, and the file is stored as that account's policy asks.
  public var isAsAsked: Bool
  /// The number under which the device knows the file's content from now on; 0 for none.
  public var item: UInt64

  /// A grant; without arguments, that of a file without an owner.
  public init(
    ownerUPN: String = "", ownerObjectID: String = "", ownerTenantID: String = "",
    isManaged: Bool = false, key: [UInt8] = [], header: [UInt8] = [], isAsAsked: Bool = false,
    item: UInt64 = 0
  ) {
    self.item = item
    self.isAsAsked = isAsAsked
    self.ownerUPN = ownerUPN
    self.ownerObjectID = ownerObjectID
    self.ownerTenantID = ownerTenantID
    self.isManaged = isManaged
    self.key = key
    self.header = header
  }
}

/// An action on a file by a guest that is driven from outside.
public struct FileWork: Sendable, Hashable {
  public var kind: Kind
  public var file: FileReference
  public var content: [UInt8]
  /// The owner for `protect` and `protectData`: a UPN or an object id, `""` for none.
  public var owner: String

  /// The kind of action. Raw values are the wire's.
  public enum Kind: UInt32, Sendable, CaseIterable {
    case write = 0
    case append = 1
    case read = 2
    /// Gives the file another owner.
    case protect = 3
    /// Protects `content` for `owner`, and writes the result to the file as it is.
    case protectData = 4
    /// Reads data that `protectData` wrote.
    case unprotectData = 5
    /// Protects all files of `owner` in the own container again, because the owner's policy wants another storage.
    case reprotect = 6
  }

  /// An action on `file`.
  public init(
    _ kind: Kind, _ file: FileReference, content: [UInt8] = [], owner: String = ""
  ) {
    self.kind = kind
    self.file = file
    self.content = content
    self.owner = owner
  }
}

/// A call of the SDK to an app (`IntuneMAMPolicyDelegate`). Raw values are the wire's.
public enum DelegateCall: UInt32, Sendable, CaseIterable {
  /// `wipeDataForAccountId`.
  case wipe = 0
  /// `addAccountId`.
  case add = 1
  /// `blockAccountId`.
  case block = 2
  /// `restartApplication`, which asks whether the guest restarts itself.
  case restart = 3
}

/// The behaviour of a guest that is driven from outside when its account is wiped. Raw values are the wire's.
public enum WipeBehaviour: UInt32, Sendable, CaseIterable {
  /// Removes the account's files, and reports success.
  case success = 1
  /// Leaves the files to the SDK.
  case failed = 2
  case crash = 3
  case hang = 4
  /// Reports success, and does not remove the files.
  case lie = 5
}
