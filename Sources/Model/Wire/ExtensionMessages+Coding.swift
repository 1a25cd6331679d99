internal import CMessages
internal import CProtobufC
internal import Model

extension Arena {
  func offeredItems(
    _ items: [OfferedItem]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Sluice__OfferedItem>?> {
    pointers(items.map(offeredItem))
  }

  private func offeredItem(_ item: OfferedItem) -> UnsafeMutablePointer<Sluice__OfferedItem> {
    message(sluice__offered_item__init) {
      $0.title = string(item.title ?? "")
      $0.content_text = string(item.contentText ?? "")
      $0.attachments = pointers(item.attachments.map(attachment))
      $0.n_attachments = item.attachments.count
    }
  }

  private func attachment(
    _ attachment: OfferedAttachment
  ) -> UnsafeMutablePointer<Sluice__OfferedAttachment> {
    message(sluice__offered_attachment__init) {
      $0.suggested_name = string(attachment.suggestedName ?? "")
      $0.representations = pointers(attachment.representations.map(representation))
      $0.n_representations = attachment.representations.count
    }
  }

  private func representation(
    _ representation: OfferedRepresentation
  ) -> UnsafeMutablePointer<Sluice__OfferedRepresentation> {
    message(sluice__offered_representation__init) {
      $0.type = string(representation.type)
      guard case .data(let data, let tag) = representation.content else { return }
      $0.has_data = 1
      $0.shared = place(data)
      if $0.shared == nil { $0.inline_ = bytes(data) }
      $0.tag = tag.map(self.tag)
    }
  }
}

extension OpenInPlace {
  init(_ raw: Sluice__OpenInPlace) {
    self.init(
      group: cString(raw.group), scheme: cString(raw.scheme), mark: cString(raw.mark))
  }
}

extension OfferedItem {
  init(_ raw: Sluice__OfferedItem) {
    let (title, text) = (cString(raw.title), cString(raw.content_text))
    self.init(
      title: title.isEmpty ? nil : title, contentText: text.isEmpty ? nil : text,
      attachments: (0..<raw.n_attachments).compactMap { index in
        raw.attachments[index].map { OfferedAttachment($0.pointee) }
      })
  }

  static func list(
    _ raw: UnsafeMutablePointer<UnsafeMutablePointer<Sluice__OfferedItem>?>?, _ count: Int
  ) -> [OfferedItem] {
    (0..<count).compactMap { index in raw?[index].map { OfferedItem($0.pointee) } }
  }
}

extension OfferedAttachment {
  init(_ raw: Sluice__OfferedAttachment) {
    let name = cString(raw.suggested_name)
    self.init(
      suggestedName: name.isEmpty ? nil : name,
      representations: (0..<raw.n_representations).compactMap { index in
        raw.representations[index].map { OfferedRepresentation($0.pointee) }
      })
  }
}

extension OfferedRepresentation {
  init(_ raw: Sluice__OfferedRepresentation) {
    self.init(
      type: cString(raw.type),
      content: raw.has_data == 0
        ? .promised
        : .data(byteArray(raw.inline_), raw.tag.map { OwnershipTag($0.pointee) }))
  }
}
