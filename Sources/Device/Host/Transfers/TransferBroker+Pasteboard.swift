internal import Model
internal import Policy
internal import Wire

/// Cut, copy and paste: an item is judged when it is pasted, not when it is copied.
extension TransferBroker {
  func copy(_ item: Item, _ scope: CopyScope, _ pending: PendingRequest) {
    guard
      let ownership = custody.ownership(of: item, from: pending.guest, as: pending.actingIdentity)
    else {
      return replies.refuse(pending, .copy, .tagSealBroken)
    }
    guard !custody.isOrphaned(item.tag, in: pending.guest) else {
      return replies.refuse(pending, .copy, .ownerNotSignedIn)
    }
    var content = item
    content.tag = nil
    let copied = Pasteboard.Content(
      item: content, source: pending.actingIdentity.party, ownership: ownership,
      participant: pending.actingIdentity.participant, number: pending.number)
    pasteboard.copy(copied)
    replies.answer(
      pending, .copy, Verdict([Reason(.copiedToPasteboard, .device)]), from: item.tag?.items ?? [],
      likely: custody.likely(
        item, from: pending.guest.app.bundleID, knowing: audit.stated(pending.number)),
      end: .delivered)
    offerToOtherDevices(copied, scope, after: pending)
  }

  func paste(_ pending: PendingRequest) {
    guard let content = pasteboard.current(at: continuity.now).map(custody.renewed) else {
      return replies.refuse(pending, .paste, .pasteboardEmpty)
    }
    let transfer = TransferRequest(
      channel: .clipboard, sender: content.source, owner: content.ownership.owner,
      receiver: pending.actingIdentity.party,
      content: Content(characters: content.characters),
      device: policies.deviceState)
    custody.answer(
      pending, .paste, with: content.item,
      Ruling(
        transfer, evaluate(transfer), content.ownership, arena: turn.encoding,
        from: [content.number]),
      sender: content.participant)
  }
}
