internal import Policy
internal import Transfer
internal import Wire

/// Cut, copy and paste: what was copied is judged when it is pasted.
extension TransferBroker {
  func copy(_ item: Item, _ origin: Origin) {
    guard let ownership = custody.ownership(of: item, from: origin.guest, as: origin.persona) else {
      return replies.refuse(origin, .copy, .tagSealBroken)
    }
    guard !custody.isOrphaned(item.tag, in: origin.guest) else {
      return replies.refuse(origin, .copy, .ownerNotSignedIn)
    }
    var content = item
    content.tag = nil
    pasteboard.content = Pasteboard.Content(
      item: content, source: origin.persona.party, ownership: ownership,
      participant: origin.persona.participant)
    replies.answer(origin, .copy, Verdict([Reason(.copiedToPasteboard, .device)]), end: .delivered)
  }

  func paste(_ origin: Origin) {
    guard let content = pasteboard.content else {
      return replies.refuse(origin, .paste, .pasteboardEmpty)
    }
    let transfer = TransferRequest(
      channel: .clipboard, sender: content.source, owner: content.ownership.owner,
      receiver: origin.persona.party,
      content: Content(characters: content.item.text?.unicodeScalars.count),
      device: policies.deviceState)
    custody.answer(
      origin, .paste, with: content.item,
      Ruling(transfer, evaluate(transfer), content.ownership, arena: turn.encoding),
      sender: content.participant)
  }
}
