package import CMessages
internal import CProtobufC
package import Model

extension Arena {
  /// A message of protobuf-c, initialized and filled.
  package func message<Message>(
    _ initialize: (UnsafeMutablePointer<Message>) -> Void,
    _ fill: (inout Message) -> Void = { _ in }
  ) -> UnsafeMutablePointer<Message> {
    let message = make(Message.self)
    initialize(message)
    fill(&message.pointee)
    return message
  }

  package func item(_ item: Item) -> UnsafeMutablePointer<Sluice__Item> {
    message(sluice__item__init) {
      $0.type = string(item.type)
      if let name = item.name { $0.name = string(name) }
      switch item.payload {
      case .inline(let payload):
        if let shared = place(payload) {
          $0.payload_case = SLUICE__ITEM__PAYLOAD_SHARED
          $0.shared = shared
        } else {
          $0.payload_case = SLUICE__ITEM__PAYLOAD_INLINE
          $0.inline_ = bytes(payload)
        }
      }
      $0.tag = item.tag.map(tag)
    }
  }

  func items(_ items: [Item]) -> UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Item>?> {
    pointers(items.map(item))
  }

  func tag(_ tag: OwnershipTag) -> UnsafeMutablePointer<Sluice__OwnershipTag> {
    message(sluice__ownership_tag__init) {
      $0.owner_upn = string(tag.ownerUPN)
      $0.owner_object_id = string(tag.ownerObjectID)
      $0.owner_tenant_id = string(tag.ownerTenantID)
      $0.managed = tag.isManaged ? 1 : 0
      $0.origin_app = string(tag.originApp)
      $0.device = string(tag.device)
      $0.sequence = tag.sequence
      $0.seal = bytes(tag.seal)
    }
  }
}

extension Item {
  /// - Throws: ``WireError/emptyMessage`` where the item has no payload that this version knows.
  package init(_ raw: Sluice__Item) throws(WireError) {
    guard raw.payload_case == SLUICE__ITEM__PAYLOAD_INLINE else { throw .emptyMessage }
    let name = cString(raw.name)
    self.init(
      type: cString(raw.type), name: name.isEmpty ? nil : name,
      payload: .inline(byteArray(raw.inline_)), tag: raw.tag.map { OwnershipTag($0.pointee) })
  }

  static func list(
    _ raw: UnsafeMutablePointer<UnsafeMutablePointer<Sluice__Item>?>?, _ count: Int
  ) throws(WireError) -> [Item] {
    var items: [Item] = []
    for index in 0..<count {
      if let item = raw?[index] { items.append(try Item(item.pointee)) }
    }
    return items
  }
}

extension OwnershipTag {
  init(_ raw: Sluice__OwnershipTag) {
    self.init(
      ownerUPN: cString(raw.owner_upn), ownerObjectID: cString(raw.owner_object_id),
      ownerTenantID: cString(raw.owner_tenant_id), isManaged: raw.managed != 0,
      originApp: cString(raw.origin_app), device: cString(raw.device), sequence: raw.sequence,
      seal: byteArray(raw.seal))
  }
}

/// A protobuf-c string, which is never null once unpacked; ``MessageText`` has checked those of a guest.
package func cString(_ raw: UnsafeMutablePointer<CChar>?) -> String {
  raw.map { String(cString: $0) } ?? ""
}

package func byteArray(_ raw: ProtobufCBinaryData) -> [UInt8] {
  Array(UnsafeBufferPointer(start: raw.data, count: raw.len))
}
