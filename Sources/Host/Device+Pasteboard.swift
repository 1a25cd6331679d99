internal import Policy
internal import Transfer
internal import Wire

/// Cut, copy and paste: what was copied is judged when it is pasted.
extension Device {
  func copy(_ item: Item, _ origin: Origin) {
    let guest = origin.guest
    guard let ownership = ownership(of: item, from: guest) else {
      return refuse(origin, .copy, .tagSealBroken)
    }
    var content = item
    content.tag = nil
    pasteboard.content = Pasteboard.Content(
      item: content, source: guest.party, ownership: ownership, participant: guest.participant)
    answer(origin, .copy, Verdict([Reason(.copiedToPasteboard, .device)]), end: .delivered)
  }

  func paste(_ origin: Origin) {
    guard let content = pasteboard.content else {
      return refuse(origin, .paste, .pasteboardEmpty)
    }
    let transfer = TransferRequest(
      channel: .clipboard, sender: content.source, owner: content.ownership.owner,
      receiver: origin.guest.party,
      content: Content(characters: content.item.text?.unicodeScalars.count),
      device: configuration.state)
    answer(
      origin, .paste, content.item,
      Ruling(transfer, evaluate(transfer), content.ownership, arena: encoding),
      sender: content.participant)
  }
}
