/// Where a file is: below the guest's own container, or that of an app group.
public struct FileReference: Sendable, Hashable {
  /// `""`: the guest's own container.
  public var group: String
  /// Relative to the container, as bytes: file systems know no characters.
  public var path: [UInt8]

  public init(_ path: [UInt8], group: String = "") {
    self.path = path
    self.group = group
  }

  public init(_ path: String, group: String = "") { self.init(Array(path.utf8), group: group) }
}

/// What a file is opened for. Raw values are the wire's.
public enum FileMode: UInt32, Sendable, CaseIterable {
  case read = 0
  /// Reading and writing a file that exists.
  case update = 1
  /// The same; made where it is missing.
  case create = 2
  /// Made, or emptied: its owner is fixed anew.
  case truncate = 3
}

/// A file to be opened.
public struct OpenFile: Sendable, Hashable {
  public var file: FileReference
  public var mode: FileMode
  /// Whose a file is to be that begins: a UPN or an object id, `""` nobody's; nil: whom the task acts for.
  public var owner: String?
  /// Whether only to ask whose it is, and where `owner` is stated, whether it is that account's and stored as its
  /// policy asks.
  public var isQuestion: Bool

  public init(
    _ file: FileReference, mode: FileMode, owner: String? = nil, isQuestion: Bool = false
  ) {
    self.file = file
    self.mode = mode
    self.owner = owner
    self.isQuestion = isQuestion
  }
}

/// Whose a file or a piece of data is, and how to read it.
public struct FileGrant: Sendable, Hashable {
  /// UPN; `""`: nobody's.
  public var ownerUPN: String
  public var ownerObjectID: String
  public var ownerTenantID: String
  /// Whether a policy applies to the owner in the guest's app.
  public var isManaged: Bool
  /// 32 bytes where the content is encrypted, else none.
  public var key: [UInt8]
  /// What data must begin with that is protected with the key.
  public var header: [UInt8]
  /// Whether the owner is who was asked for, and the file is stored as that account's policy asks.
  public var isAsAsked: Bool

  public init(
    ownerUPN: String = "", ownerObjectID: String = "", ownerTenantID: String = "",
    isManaged: Bool = false, key: [UInt8] = [], header: [UInt8] = [], isAsAsked: Bool = false
  ) {
    self.isAsAsked = isAsAsked
    self.ownerUPN = ownerUPN
    self.ownerObjectID = ownerObjectID
    self.ownerTenantID = ownerTenantID
    self.isManaged = isManaged
    self.key = key
    self.header = header
  }
}

/// What a guest does with a file that is driven from outside.
public struct FileWork: Sendable, Hashable {
  public var kind: Kind
  public var file: FileReference
  public var content: [UInt8]
  /// For `protect` and `protectData`: a UPN or an object id, `""` nobody's.
  public var owner: String

  /// Raw values are the wire's.
  public enum Kind: UInt32, Sendable, CaseIterable {
    case write = 0
    case append = 1
    case read = 2
    /// Gives the file another owner.
    case protect = 3
    /// Protects `content` for `owner`, and writes the result to the file as it is.
    case protectData = 4
    /// Reads what `protectData` wrote.
    case unprotectData = 5
    /// Protects all files of `owner` in the own container again, because its policy wants another storage.
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
}

/// What the SDK needs of an app (`IntuneMAMPolicyDelegate`). Raw values are the wire's.
public enum DelegateCall: UInt32, Sendable, CaseIterable {
  /// `wipeDataForAccountId`.
  case wipe = 0
  /// `addAccountId`.
  case add = 1
  /// `blockAccountId`.
  case block = 2
  /// `restartApplication`; whether the guest sees to it itself.
  case restart = 3
}

/// What a guest does whose account is wiped, where it is driven from outside. Raw values are the wire's.
public enum WipeBehaviour: UInt32, Sendable, CaseIterable {
  /// Removes the account's files, and says so.
  case success = 1
  /// Leaves the files to the SDK.
  case failed = 2
  case crash = 3
  case hang = 4
  /// Says that it removed them, and did not.
  case lie = 5
}
