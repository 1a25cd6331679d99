internal import CMessages
internal import CProtobufC

extension GuestMessage.Body {
  /// The message, where it is about a file; otherwise nil.
  static func file(_ raw: Sluice__GuestMessage) throws(WireError) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_OPEN_FILE:
      let body = raw.open_file.pointee
      guard let mode = FileMode(rawValue: UInt32(body.mode.rawValue)) else { throw .emptyMessage }
      return .openFile(
        OpenFile(
          FileReference(body.group, body.path), mode: mode,
          owner: body.names_owner != 0 ? cString(body.owner) : nil,
          isQuestion: body.asks_only != 0))
    case SLUICE__GUEST_MESSAGE__BODY_MOVE_FILE:
      let body = raw.move_file.pointee
      return .moveFile(
        FileReference(body.group, body.path), to: FileReference(body.to_group, body.to))
    case SLUICE__GUEST_MESSAGE__BODY_REMOVE_FILE:
      let body = raw.remove_file.pointee
      return .removeFile(FileReference(body.group, body.path))
    case SLUICE__GUEST_MESSAGE__BODY_PROTECT_DATA:
      return .protectData(account: cString(raw.protect_data.pointee.account))
    case SLUICE__GUEST_MESSAGE__BODY_UNPROTECT_DATA:
      return .unprotectData(header: byteArray(raw.unprotect_data.pointee.header))
    default: return nil
    }
  }
}

extension Arena {
  func fillFile(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .openFile(let open):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_OPEN_FILE
      raw.open_file = message(sluice__open_file__init) {
        $0.group = string(open.file.group)
        $0.path = bytes(open.file.path)
        $0.mode = Sluice__FileMode(rawValue: open.mode.rawValue)
        $0.owner = string(open.owner ?? "")
        $0.names_owner = open.owner == nil ? 0 : 1
        $0.asks_only = open.isQuestion ? 1 : 0
      }
    case .moveFile(let file, let target):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_MOVE_FILE
      raw.move_file = message(sluice__move_file__init) {
        $0.group = string(file.group)
        $0.path = bytes(file.path)
        $0.to_group = string(target.group)
        $0.to = bytes(target.path)
      }
    case .removeFile(let file):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_REMOVE_FILE
      raw.remove_file = message(sluice__remove_file__init) {
        $0.group = string(file.group)
        $0.path = bytes(file.path)
      }
    case .protectData(let account):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PROTECT_DATA
      raw.protect_data = message(sluice__protect_data__init) { $0.account = string(account) }
    case .unprotectData(let header):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_UNPROTECT_DATA
      raw.unprotect_data = message(sluice__unprotect_data__init) { $0.header = bytes(header) }
    default: preconditionFailure("not about files")
    }
  }

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

  func fileWork(_ work: FileWork) -> UnsafeMutablePointer<Sluice__FileWork> {
    message(sluice__file_work__init) {
      $0.kind = Sluice__FileWork__Kind(rawValue: work.kind.rawValue)
      $0.group = string(work.file.group)
      $0.path = bytes(work.file.path)
      $0.content = bytes(work.content)
      $0.owner = string(work.owner)
    }
  }
}

extension FileReference {
  fileprivate init(_ group: UnsafeMutablePointer<CChar>?, _ path: ProtobufCBinaryData) {
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

extension FileWork {
  init(_ raw: Sluice__FileWork) throws(WireError) {
    guard let kind = Kind(rawValue: UInt32(raw.kind.rawValue)) else { throw .emptyMessage }
    self.init(
      kind, FileReference(raw.group, raw.path), content: byteArray(raw.content),
      owner: cString(raw.owner))
  }
}
