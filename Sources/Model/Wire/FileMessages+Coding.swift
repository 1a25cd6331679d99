internal import CMessages
internal import CProtobufC

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

extension FileWork {
  init(_ raw: Sluice__FileWork) throws(WireError) {
    guard let kind = Kind(rawValue: UInt32(raw.kind.rawValue)) else { throw .emptyMessage }
    self.init(
      kind, FileReference(raw.group, raw.path), content: byteArray(raw.content),
      owner: cString(raw.owner))
  }
}
