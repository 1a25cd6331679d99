internal import Model
internal import Policy

/// Cloud storage, which all devices of an organisation see.
extension TransferBroker {
  /// Saves an item to cloud storage that several devices see, and so not on this one. Only who is signed in can: an account
  /// that an app names alone gives nobody access.
  ///
  /// - Returns: false where it is to be kept on the device.
  func upload(
    _ item: Item, _ payload: [UInt8], _ ruling: Ruling, _ pending: PendingRequest
  ) -> Bool {
    guard ruling.request.channel == .saveTo, continuity.link != nil,
      let location = ruling.request.content.location, location.isCloud,
      let owner = ruling.request.receiver.identity.account,
      pending.guest.accounts.isSignedIn(owner)
    else { return false }
    continuity.send(
      item, payload, by: .storage, ruling, pending.number, to: .storage(location, owner: owner))
    return true
  }

  /// What is at the storage location that a request opens from; nil: nothing, so that the request only asks.
  func document(for transfer: TransferRequest) -> Parcel? {
    continuity.document(at: transfer.content.location, of: transfer.owner.account)
  }

  /// Opens a document that was saved to the location, on whatever device: it is the account's to which the location
  /// belongs.
  func open(
    _ document: Parcel, _ transfer: TransferRequest, _ pending: PendingRequest, subject: String?
  ) {
    guard pending.guest.accounts.isSignedIn(transfer.owner.account) else {
      return replies.refuse(pending, .openFrom, .ownerNotSignedIn, subject: subject)
    }
    let verdict = evaluate(transfer)
    var (pending, sources) = (pending, [Int]())
    if verdict.outcome != .blocked {
      // What comes of an item has a number after its own.
      sources = [pending.number]
      continuity.arrived(document, as: pending.number)
      let stated = audit.takeStatement(of: pending.number)
      pending.number = audit.nextRequest()
      audit.state(stated, of: pending.number)
    }
    let ownership = custody.ownership(
      of: transfer.owner.account, policy: transfer.owner.policy,
      from: pending.guest.app.bundleID)
    custody.answer(
      pending, .openFrom, with: document.item,
      Ruling(
        transfer, verdict, ownership, arena: turn.encoding, from: sources),
      sender: nil, subject: subject, as: document.form)
  }
}
