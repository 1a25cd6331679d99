internal import CMessages
internal import CProtobufC

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

// MARK: - Coding

extension Arena {
  func grant(_ grant: FileGrant) -> UnsafeMutablePointer<Sluice__FileGrant> {
    message(sluice__file_grant__init) {
      $0.owner_upn = string(grant.ownerUPN)
      $0.owner_object_id = string(grant.ownerObjectID)
      $0.owner_tenant_id = string(grant.ownerTenantID)
      $0.managed = grant.isManaged ? 1 : 0
      $0.key = bytes(grant.key)
      $0.header = bytes(grant.header)
      $0.as_asked = grant.isAsAsked ? 1 : 0
      $0.item = grant.item
    }
  }

}

extension FileReference {
  init(_ group: UnsafeMutablePointer<CChar>?, _ path: ProtobufCBinaryData) {
    self.init(byteArray(path), group: cString(group))
  }
}

extension FileGrant {
  init(_ raw: Sluice__FileGrant) {
    self.init(
      ownerUPN: cString(raw.owner_upn), ownerObjectID: cString(raw.owner_object_id),
      ownerTenantID: cString(raw.owner_tenant_id), isManaged: raw.managed != 0,
      key: byteArray(raw.key), header: byteArray(raw.header), isAsAsked: raw.as_asked != 0,
      item: raw.item)
  }
}
