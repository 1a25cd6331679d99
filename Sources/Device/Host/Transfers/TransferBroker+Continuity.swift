internal import Model
internal import Policy
internal import Wire

/// Items for other devices, and from them.
extension TransferBroker {
  // MARK: AirDrop

  func airDrop(_ use: SystemHandOff, _ pending: PendingRequest) {
    guard continuity.link?.reaches(use.device) == true else {
      return replies.refuse(pending, .airDrop, .noSuchDevice, subject: use.device)
    }
    guard let ownership = ownership(of: use.item, from: pending) else {
      return replies.refuse(pending, .airDrop, .tagSealBroken, subject: use.device)
    }
    guard !custody.isOrphaned(use.item?.tag, in: pending.guest) else {
      return replies.refuse(pending, .airDrop, .ownerNotSignedIn, subject: use.device)
    }
    let party = pending.actingIdentity.party
    var transfer = TransferRequest(
      channel: .share, via: use.via, sender: party, owner: ownership.owner,
      receiver: .airDrop(from: party, on: policies.deviceState),
      appPolicy: pending.guest.appPolicy, device: policies.deviceState)
    transfer.appAccount = pending.guest.managedAccount
    let ruling = Ruling(
      transfer, evaluate(transfer), ownership, arena: turn.encoding,
      from: use.item?.tag?.items ?? [])
    decide(.airDrop, use.item, ruling, pending, subject: use.device)
    guard ruling.verdict.outcome != .blocked else {
      return replies.finish(pending, .refused, ruling.answer(.refused))
    }
    if let item = use.item {
      continuity.send(
        item, payload(of: item, ruling), by: .airDrop, ruling, pending.number,
        to: .device(use.device))
    }
    replies.finish(pending, ruling.delivered, ruling.deliveredAnswer)
  }

  private func decide(
    _ operation: Operation, _ item: Item?, _ ruling: Ruling, _ pending: PendingRequest,
    subject: String? = nil
  ) {
    audit.decided(
      pending, by: ruling,
      RequestDecision(
        request: pending.number, operation: operation,
        via: operation == .airDrop ? ruling.request.via : nil,
        sender: pending.actingIdentity.participant,
        owner: ruling.request.owner.account?.upn ?? "", type: item?.type,
        bytes: item?.payload.count, from: ruling.from,
        likely: custody.likely(
          item, from: pending.guest.app.bundleID,
          knowing: ruling.from + audit.stated(pending.number)),
        subject: subject, verdict: ruling.explained))
  }

  /// The bytes that leave: ciphertext where the verdict says so.
  func payload(of item: Item, _ ruling: Ruling) -> [UInt8] {
    var payload: [UInt8] = []
    item.withParts { parts in
      payload =
        ruling.verdict.outcome == .encrypted
        ? custody.ciphertext(of: parts.payload) : Array(parts.payload)
    }
    return payload
  }

  // MARK: mail and messages

  /// Sends a mail or message to the device that it is addressed to.
  ///
  /// - Parameter device: the name of the device; `""`: it is addressed to none.
  func address(
    _ item: Item, _ payload: [UInt8], to device: String, _ ruling: Ruling, _ request: Int
  ) {
    guard let carrier = ruling.request.channel.carrier, !device.isEmpty else { return }
    continuity.send(item, payload, by: carrier, ruling, request, to: .device(device))
  }

  // MARK: what has come

  /// Opens the document that came last by a carrier: nobody is known to own it here.
  func openReceived(_ use: SystemHandOff, _ pending: PendingRequest) throws(Violation) {
    guard let carrier = Carrier(rawValue: use.source), Carrier.opened.contains(carrier) else {
      throw Violation(text: "what came by `\(use.source)`, by which no document comes")
    }
    guard pending.guest.app.kind == .app else {
      throw Violation(text: "an opening of a document by an extension")
    }
    var document: (number: Int, parcel: Parcel)?
    durability.persist { () throws(HostError) in
      document = try continuity.document(by: carrier)
    }
    guard let (number, parcel) = document else {
      return replies.refuse(pending, .openReceived, .nothingReceived, subject: use.source)
    }
    let transfer = TransferRequest(
      channel: .openIn, sender: .system, owner: Owner(), receiver: pending.actingIdentity.party,
      device: policies.deviceState)
    custody.answer(
      pending, .openReceived, with: parcel.item,
      Ruling(
        transfer, evaluate(transfer), custody.ownership(of: nil, policy: nil, from: ""),
        arena: turn.encoding, from: [number]),
      sender: nil, subject: use.source, as: parcel.form)
  }

  // MARK: Universal Clipboard

  /// Offers what was copied to the other devices of the user's Apple Account, as far as the pasteboard's rules let it go to
  /// an app that no policy manages: nobody knows which app will paste it there.
  func offerToOtherDevices(
    _ copied: Pasteboard.Content, _ scope: CopyScope, after pending: PendingRequest
  ) {
    guard let account = continuity.clipboardAccount else { return }
    var offer = pending
    offer.number = audit.nextRequest()
    let transfer = TransferRequest(
      channel: .clipboard, sender: copied.source, owner: copied.ownership.owner,
      content: Content(characters: copied.characters),
      device: policies.deviceState)
    let obstacle: Rule? =
      scope == .local ? .localOnlyPasteboard : continuity.allowsHandoff ? nil : .handoffOff
    if let obstacle {
      let verdict = Verdict([Reason(obstacle, .device)])
      audit.decided(
        offer,
        RequestDecision(
          request: offer.number, operation: .universalClipboard,
          sender: offer.actingIdentity.participant, from: [copied.number],
          verdict: Explainer.explain(verdict, citing: [:])))
      return audit.ended(offer.number, .refused)
    }
    let ruling = Ruling(
      transfer, evaluate(transfer), copied.ownership, arena: turn.encoding, from: [copied.number])
    decide(.universalClipboard, copied.item, ruling, offer)
    guard ruling.verdict.outcome != .blocked else { return audit.ended(offer.number, .refused) }
    continuity.send(
      copied.item, payload(of: copied.item, ruling), by: .universalClipboard, ruling,
      offer.number, to: .appleAccount(account))
    audit.ended(offer.number, ruling.delivered)
  }
}
