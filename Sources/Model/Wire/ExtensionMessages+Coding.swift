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

  func fillExtension(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .shareItems(let share):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_SHARE_ITEMS
      raw.share_items = message(sluice__share_items__init) {
        $0.destination = string(share.destination)
        $0.items = offeredItems(share.items)
        $0.n_items = share.items.count
        $0.path = share.via.raw
      }
    case .loadItem(let load):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_LOAD_ITEM
      raw.load_item = message(sluice__load_item__init) {
        $0.item = UInt32(clamping: load.item)
        $0.attachment = UInt32(clamping: load.attachment)
        $0.type = string(load.type)
      }
    case .cancelLoad(let load):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_CANCEL_LOAD
      raw.cancel_load = message(sluice__cancel_load__init) { $0.load = load }
    case .provideProgress(let ask, let fraction):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_PROVIDE_PROGRESS
      raw.provide_progress = message(sluice__provide_progress__init) {
        $0.ask = ask
        $0.fraction = fraction
      }
    case .completeExtension(let items):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_COMPLETE_EXTENSION
      raw.complete_extension = message(sluice__complete_extension__init) {
        $0.items = self.items(items)
        $0.n_items = items.count
      }
    case .cancelExtension(let why):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_CANCEL_EXTENSION
      raw.cancel_extension = message(sluice__cancel_extension__init) { $0.why = string(why) }
    default: preconditionFailure("not about extensions")
    }
  }

  func fillExtension(_ raw: inout Sluice__HostMessage, _ body: HostMessage.Body) {
    switch body {
    case .extensionRequest(let request):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_EXTENSION_REQUEST
      raw.extension_request = message(sluice__extension_request__init) {
        $0.items = offeredItems(request.items)
        $0.n_items = request.items.count
        $0.sender = string(request.sender)
        $0.open_in = request.openIn.map { place in
          message(sluice__open_in_place__init) {
            $0.group = string(place.group)
            $0.scheme = string(place.scheme)
            $0.mark = string(place.mark)
          }
        }
      }
    case .loadProgress(let fraction):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_LOAD_PROGRESS
      raw.load_progress = message(sluice__load_progress__init) { $0.fraction = fraction }
    case .provideRepresentation(let ask, let share, let reference):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PROVIDE_REPRESENTATION
      raw.provide_representation = message(sluice__provide_representation__init) {
        $0.ask = ask
        $0.share = share
        $0.item = UInt32(clamping: reference.item)
        $0.attachment = UInt32(clamping: reference.attachment)
        $0.type = string(reference.type)
      }
    case .cancelProvide(let ask):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_CANCEL_PROVIDE
      raw.cancel_provide = message(sluice__cancel_provide__init) { $0.ask = ask }
    default: preconditionFailure("not about extensions")
    }
  }
}

extension GuestMessage.Body {
  /// The message, where it is about extensions; otherwise nil.
  static func aboutExtensions(_ raw: Sluice__GuestMessage) throws(WireError) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_SHARE_ITEMS:
      let body = raw.share_items.pointee
      return .shareItems(
        ShareItems(
          destination: cString(body.destination), items: OfferedItem.list(body.items, body.n_items),
          via: SharingPath(body.path)))
    case SLUICE__GUEST_MESSAGE__BODY_LOAD_ITEM:
      let body = raw.load_item.pointee
      return .loadItem(
        RepresentationReference(
          item: Int(body.item), attachment: Int(body.attachment), type: cString(body.type)))
    case SLUICE__GUEST_MESSAGE__BODY_CANCEL_LOAD:
      return .cancelLoad(raw.cancel_load.pointee.load)
    case SLUICE__GUEST_MESSAGE__BODY_PROVIDE_PROGRESS:
      let body = raw.provide_progress.pointee
      return .provideProgress(ask: body.ask, fraction: body.fraction)
    case SLUICE__GUEST_MESSAGE__BODY_COMPLETE_EXTENSION:
      let body = raw.complete_extension.pointee
      return .completeExtension(try Item.list(body.items, body.n_items))
    case SLUICE__GUEST_MESSAGE__BODY_CANCEL_EXTENSION:
      return .cancelExtension(why: cString(raw.cancel_extension.pointee.why))
    default: return nil
    }
  }
}

extension OpenInPlace {
  fileprivate init(_ raw: Sluice__OpenInPlace) {
    self.init(
      group: cString(raw.group), scheme: cString(raw.scheme), mark: cString(raw.mark))
  }
}

extension HostMessage.Body {
  /// The message, where it is about extensions; otherwise nil.
  static func aboutExtensions(_ raw: Sluice__HostMessage) -> Self? {
    switch raw.body_case {
    case SLUICE__HOST_MESSAGE__BODY_EXTENSION_REQUEST:
      let body = raw.extension_request.pointee
      return .extensionRequest(
        ExtensionRequest(
          items: OfferedItem.list(body.items, body.n_items), sender: cString(body.sender),
          openIn: body.open_in.map { OpenInPlace($0.pointee) }))
    case SLUICE__HOST_MESSAGE__BODY_LOAD_PROGRESS:
      return .loadProgress(raw.load_progress.pointee.fraction)
    case SLUICE__HOST_MESSAGE__BODY_PROVIDE_REPRESENTATION:
      let body = raw.provide_representation.pointee
      return .provideRepresentation(
        ask: body.ask, share: body.share,
        RepresentationReference(
          item: Int(body.item), attachment: Int(body.attachment), type: cString(body.type)))
    case SLUICE__HOST_MESSAGE__BODY_CANCEL_PROVIDE:
      return .cancelProvide(ask: raw.cancel_provide.pointee.ask)
    default: return nil
    }
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
