/// The location of a file in the guest's container or in an app group's container.
public struct FileReference: Sendable, Hashable {
  /// The app group; `""` for the guest's container.
  public var group: String
  /// The path relative to the container, as bytes, since file systems have no encoding.
  public var path: [UInt8]

  public init(_ path: [UInt8], group: String = "") {
    self.path = path
    self.group = group
  }

  public init(_ path: String, group: String = "") { self.init(Array(path.utf8), group: group) }
}

extension MessageForm {
  mutating func field(group: UInt32, path: UInt32, _ file: inout FileReference) {
    field(group, &file.group)
    field(path, &file.path)
  }
}

/// The mode in which a file is opened. Raw values match the wire protocol.
public enum FileMode: UInt32, Sendable, CaseIterable {
  case reading = 0
  /// Reading and writing an existing file.
  case updating = 1
  /// Reading and writing a file, which is created if missing.
  case creating = 2
  /// Reading and writing a file that is created or emptied. Its owner is determined again.
  case truncating = 3
}

/// A failure of a request about a file or data, other than a refusal, as the status of its outcome.
/// Raw values are codes of `IntuneMAMFileProtectionManagerErrors`.
package enum FileFailure: Int, Sendable {
  case encryptFailed = 102
  /// The content was truncated or altered, or its key has been destroyed.
  case decryptFailed = 103
  case fileNotFound = 104
  case isFolder = 105
  case `internal` = 107
}

/// A request to open a file, or a question about it.
public struct OpenFile: Sendable, Hashable, DeclaredMessage {
  public var file: FileReference
  public var mode: FileMode
  /// The owner of a new file: a UPN or an object id, `""` for no owner; nil for the task's acting identity.
  public var owner: String?
  /// Whether the request only asks for the file's owner. See ``question(about:ownedBy:)``.
  public private(set) var isQuestion = false

  public init(_ file: FileReference, mode: FileMode, owner: String? = nil) {
    self.file = file
    self.mode = mode
    self.owner = owner
  }

  /// Creates a question about the file's owner. If `owner` is stated, ``FileGrant/isAsAsked`` answers whether
  /// the file belongs to that account and has the form that its policy requires.
  public static func question(about file: FileReference, ownedBy owner: String? = nil) -> OpenFile {
    var open = OpenFile(file, mode: .reading, owner: owner)
    open.isQuestion = true
    return open
  }

  static var blank: OpenFile { OpenFile(FileReference(""), mode: .reading) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(group: 1, path: 2, &file)
    try form.field(3, &mode)
    form.field(4, &owner, isSetIf: 5)
    form.field(6, &isQuestion)
  }
}

/// The owner of a file or of protected data, and the key.
public struct FileGrant: Sendable, Hashable, DeclaredMessage {
  /// The owner's UPN; `""` if there is none.
  public var ownerUPN: String
  public var ownerObjectID: String
  public var ownerTenantID: String
  /// Whether a policy applies to the owner in the guest's app.
  public var isManaged: Bool
  /// The 32-byte key of encrypted content; empty for plain content.
  public var key: [UInt8]
  /// The header for data protected with the key.
  public var header: [UInt8]
  /// Whether the owner is the requested account, and the file has the form that the account's policy requires:
  /// encrypted or plain.
  public var isAsAsked: Bool
  /// The device's new item number for the file's content; 0 if the content has none.
  public var item: UInt64

  /// Creates a grant. Without arguments, it is for a file without an owner.
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

  static var blank: FileGrant { FileGrant() }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &ownerUPN)
    form.field(2, &ownerObjectID)
    form.field(3, &ownerTenantID)
    form.field(4, &isManaged)
    form.field(5, &key)
    form.field(6, &header)
    form.field(7, &isAsAsked)
    form.field(8, &item)
  }
}

/// The identifiers of a generic-password item: access group, `kSecAttrService` and `kSecAttrAccount`.
public struct KeychainKey: Sendable, Hashable, DeclaredMessage {
  /// The access group; `""` for the default group when adding, and for all of the app's groups otherwise.
  public var group: String
  public var service: String
  public var account: String

  public init(group: String = "", service: String, account: String) {
    self.group = group
    self.service = service
    self.account = account
  }

  static var blank: KeychainKey { KeychainKey(service: "", account: "") }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &group)
    form.field(2, &service)
    form.field(3, &account)
  }
}
