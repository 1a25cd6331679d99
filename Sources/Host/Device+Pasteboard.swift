internal import Policy
internal import Transfer
internal import Wire

/// Cut, copy and paste: what was copied is judged when it is pasted.
extension Device {
  func copy(_ item: Item, _ origin: Origin) {
    guard let ownership = ownership(of: item, from: origin.guest, as: origin.persona) else {
      return refuse(origin, .copy, .tagSealBroken)
    }
    guard !isOrphaned(item.tag, in: origin.guest) else {
      return refuse(origin, .copy, .ownerNotSignedIn)
    }
    var content = item
    content.tag = nil
    pasteboard.content = Pasteboard.Content(
      item: content, source: origin.persona.party, ownership: ownership,
      participant: origin.persona.participant)
    answer(origin, .copy, Verdict([Reason(.copiedToPasteboard, .device)]), end: .delivered)
  }

  func paste(_ origin: Origin) {
    guard let content = pasteboard.content else {
      return refuse(origin, .paste, .pasteboardEmpty)
    }
    let transfer = TransferRequest(
      channel: .clipboard, sender: content.source, owner: content.ownership.owner,
      receiver: origin.persona.party,
      content: Content(characters: content.item.text?.unicodeScalars.count),
      device: configuration.state)
    answer(
      origin, .paste, content.item,
      Ruling(transfer, evaluate(transfer), content.ownership, arena: encoding),
      sender: content.participant)
  }
}
