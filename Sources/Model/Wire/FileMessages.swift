/// The location of a file in the guest's container or in an app group's container.
public struct FileReference: Sendable, Hashable {
  /// The app group; `""` for the guest's container.
  public var group: String
  /// The path relative to the container. It consists of bytes, because paths on Linux have no defined text encoding.
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
  /// Reading and writing a file. A missing file is created.
  case creating = 2
  /// Reading and writing a file that is created if missing and emptied if it exists. In both cases, the device
  /// determines the file's new owner.
  case truncating = 3
}

/// The status in the outcome of a failed request about a file or data. Refused requests have other statuses. Raw values
/// are codes of `IntuneMAMFileProtectionManagerErrors`.
package enum FileFailure: Int, Sendable {
  case encryptFailed = 102
  /// The file cannot be decrypted: its content was truncated or altered, or its key was destroyed.
  case decryptFailed = 103
  case fileNotFound = 104
  case isFolder = 105
  case `internal` = 107
}

/// A request to open a file, or a question about its owner.
public struct OpenFile: Sendable, Hashable, DeclaredMessage {
  public var file: FileReference
  public var mode: FileMode
  /// The owner that a new or emptied file gets: a UPN or an object id, `""` for no owner, nil for the task's acting
  /// identity.
  public var owner: String?
  /// Whether the request only asks who owns the file. ``question(about:ownedBy:)`` creates such requests.
  public private(set) var isQuestion = false

  public init(_ file: FileReference, mode: FileMode, owner: String? = nil) {
    self.file = file
    self.mode = mode
    self.owner = owner
  }

  /// Creates a question about the owner of `file`. If `owner` is given, the answer's ``FileGrant/isAsAsked`` is whether
  /// this account owns the file and the file is stored as the account's policy requires.
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

/// The device's answer about a file or protected data: the owner, and the key for the content.
public struct FileGrant: Sendable, Hashable, DeclaredMessage {
  /// The owner's UPN; `""` if there is none.
  public var ownerUPN: String
  public var ownerObjectID: String
  public var ownerTenantID: String
  /// Whether a policy applies to the owner in the guest's app.
  public var isManaged: Bool
  /// The 32-byte key that decrypts the content; empty if the content is not encrypted.
  public var key: [UInt8]
  /// The header that the guest stores before the data that it encrypts with ``key``. To return the key again, the
  /// device needs this header.
  public var header: [UInt8]
  /// Whether the requested account owns the file, and the file is encrypted or plain as the account's policy requires.
  public var isAsAsked: Bool
  /// The item number that the device now assigns to the file's content; 0 if the content gets none.
  public var item: UInt64

  /// Creates a grant. Without arguments, it states that the file has no owner.
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
  /// The access group. With `""`, an added item gets the default group, and other requests apply to all of the app's
  /// groups.
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
