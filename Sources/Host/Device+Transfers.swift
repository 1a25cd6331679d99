internal import Cryptography
internal import Policy
internal import Transfer
internal import Wire

/// Items and URLs from one guest to another.
extension Device {
  /// The way of almost every message: from a decoded frame to a verdict to a delivery, without a string.
  func share(_ share: ShareFrame, request: UInt64, from sender: Guest) {
    let origin = Origin(
      number: nextRequest(), guest: sender, request: request, isPosted: share.isPosted)
    if !share.claimedSource.isEmpty { noteClaim(share.claimedSource, sender) }
    guard let receiver = destination(share.destination, of: sender) else {
      let name = String(decoding: share.destination, as: UTF8.self)
      return refuse(origin, share.operation, .noSuchDestination, subject: name)
    }
    var ownership = Ownership(
      owner: sender.owner, originApp: sender.app.bundleID, stamp: sender.stamp)
    if share.item.hasTag {
      guard let found = owner(of: share.item, origin, share.operation) else { return }
      ownership = found
    }
    let target = recipient(receiver, startingFor: sender)
    let transfer = TransferRequest(
      channel: share.opensIn ? .openIn : .share, via: share.via, sender: sender.party,
      owner: ownership.owner, receiver: target.party, device: configuration.state)
    guard configuration.enforcement == .full else {
      return dispatch(share.parts, ownership, origin, target, unchecked, [])
    }
    let verdict = evaluate(transfer)
    if verdict.outcome == .blocked,
      let switched = documentImport(for: transfer, verdict: verdict), target.isReady
    {
      let stored = StoredShare(share, ownership, origin)
      return askToSwitch(target, stored, transfer, verdict, switched)
    }
    settle(
      share.parts, share.operation, ownership, origin, target,
      ruling(transfer, verdict, sender, target))
  }

  /// Records the decision on an item that is at hand, and delivers it or refuses.
  func settle(
    _ item: FrameBuffer.ItemParts, _ operation: Operation, _ ownership: Ownership,
    _ origin: Origin, _ receiver: Guest, _ ruling: Ruling,
    marks: FrameBuffer.DeliveryMarks = []
  ) {
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: operation, via: ruling.request.via,
        sender: origin.guest.participant, receiver: participant(receiver, marks),
        owner: ownership.owner.account?.upn ?? "", type: String(item.type),
        bytes: item.payload.count, verdict: ruling.explained))
    switch ruling.verdict.outcome {
    case .blocked:
      discard(receiver)
      finish(origin, .refused, ruling.answer(.refused))
    case .encrypted:
      ciphertext(of: item.payload).withUnsafeBytes { ciphertext in
        var encrypted = item
        encrypted.payload = ciphertext
        dispatch(encrypted, ownership, origin, receiver, ruling, marks.union(.encrypted))
      }
    case .allowed: dispatch(item, ownership, origin, receiver, ruling, marks)
    }
  }

  private func dispatch(
    _ item: FrameBuffer.ItemParts, _ ownership: Ownership, _ origin: Origin, _ receiver: Guest,
    _ ruling: Ruling, _ marks: FrameBuffer.DeliveryMarks
  ) {
    var marks = marks
    if receiver.app.kind != .app {
      receiver.work = Guest.ExtensionWork(origin: origin, ruling: ruling)
      marks.insert(.extensionRequest)
    }
    deliver(
      item, stamp: stamp(ownership, receivedBy: receiver, ruling), marks: marks, from: origin,
      to: receiver, ruling)
  }

  /// What a receiver gets that may have an item but not read it.
  func ciphertext(of payload: UnsafeRawBufferPointer) -> [UInt8] {
    contentKey.seal(Array(payload), nonce: randomBytes(AES256GCM.nonceByteCount))
  }

  // MARK: who and whose

  /// Whose data moves, and what its tags have in common.
  struct Ownership {
    var owner: Owner
    var originApp: String
    var stamp: Sealer.Stamp
  }

  /// The guest that the name means; the one that was meant last is found by comparing bytes.
  private func destination(_ name: UnsafeRawBufferPointer, of sender: Guest) -> Guest? {
    if let last = sender.lastDestination, last.name.elementsEqual(name) { return last.guest }
    guard let guest = guest(named: String(decoding: name, as: UTF8.self)) else { return nil }
    if guest.app.kind == .app { sender.lastDestination = (Array(name), guest) }
    return guest
  }

  /// The owner that a tag names; nil, the request being answered, where the tag is not this device's or not
  /// this item's.
  private func owner(
    of item: ItemFrame, _ origin: Origin, _ operation: Operation
  ) -> Ownership? {
    guard let tag = item.tag else { return nil }
    guard let rule = fault(of: tag, type: item.type, payload: item.payload) else {
      return ownership(of: tag, in: origin.guest)
    }
    refuse(origin, operation, rule)
    return nil
  }

  /// What is wrong with a tag that comes back; nil where it is genuine.
  func fault(
    of tag: OwnershipTag, type: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer
  ) -> Rule? {
    if tag.device != configuration.name { return .tagOfAnotherDevice }
    return sealer.isGenuine(tag, type: type, payload: payload) ? nil : .tagSealBroken
  }

  func ownership(of tag: OwnershipTag, in guest: Guest) -> Ownership {
    let account = tag.owner
    let policy = account.flatMap { account in
      guest.accounts.first { $0.account.isSame(as: account) }?.policy
    }
    return Ownership(
      owner: Owner(account: account, policy: policy), originApp: guest.app.bundleID,
      stamp: sealer.stamp(
        owner: account, isManaged: policy != nil, originApp: guest.app.bundleID))
  }

  /// The stamp under which an item arrives: data without an owner becomes the receiver's where its policy
  /// takes incoming data for the organisation's.
  private func stamp(
    _ ownership: Ownership, receivedBy receiver: Guest, _ ruling: Ruling
  ) -> Sealer.Stamp {
    guard ruling.verdict.reasons.contains(where: { $0.rule == .incomingOrgData }) else {
      return ownership.stamp
    }
    return sealer.stamp(
      owner: receiver.identity.account, isManaged: true, originApp: receiver.app.bundleID)
  }

  private func noteClaim(_ claimed: UnsafeRawBufferPointer, _ sender: Guest) {
    let claimed = String(decoding: claimed, as: UTF8.self)
    guard claimed != sender.app.bundleID else { return }
    record(
      .claimIgnored(
        guest: sender.name, claim: "source", claimed: claimed, actual: sender.app.bundleID))
  }

  private func participant(
    _ receiver: Guest, _ marks: FrameBuffer.DeliveryMarks
  ) -> Participant {
    guard marks.contains(.forUnmanaged) else { return receiver.participant }
    var participant = receiver.participant
    participant.identity = ""
    participant.isManaged = false
    return participant
  }

  // MARK: rulings

  /// What follows from a verdict: the latest of the sender where it covers this one too.
  func ruling(
    _ transfer: TransferRequest, _ verdict: Verdict, _ sender: Guest, _ receiver: Guest
  ) -> Ruling {
    if let last = sender.lastRuling, last.receiver === receiver, last.generation == generation,
      last.ruling.covers(transfer, verdict)
    {
      return last.ruling
    }
    let ruling = Ruling(transfer, verdict, arena: encoding)
    if receiver.app.kind == .app { sender.lastRuling = (receiver, generation, ruling) }
    return ruling
  }

  /// Answers a request that fails before any policy is asked.
  func refuse(
    _ origin: Origin, _ operation: Operation, _ rule: Rule, subject: String? = nil,
    citing citations: [Setting: Explainer.Citation] = [:], status: Int = 0
  ) {
    answer(
      origin, operation, Verdict([Reason(rule, .device)]), subject: subject, citing: citations,
      end: .refused, status: status)
  }

  /// Records and answers a decision about something other than a transfer.
  func answer(
    _ origin: Origin, _ operation: Operation, _ verdict: Verdict, subject: String? = nil,
    citing citations: [Setting: Explainer.Citation] = [:], end: RequestEnd, status: Int = 0,
    items: [Item] = [], detail: String? = nil
  ) {
    decide(
      origin,
      RequestDecision(
        request: origin.number, operation: operation, sender: origin.guest.participant,
        subject: subject, verdict: Explainer.explain(verdict, citing: citations)))
    finish(
      origin,
      RequestOutcome(
        verdict: verdict.outcome, end: end, reasons: verdict.reasons.map(OutcomeReason.init),
        status: status, items: items), detail: detail)
  }
}

extension ShareFrame {
  var operation: Operation { opensIn ? .openIn : .share }

  var parts: FrameBuffer.ItemParts {
    FrameBuffer.ItemParts(type: item.type, name: item.name, payload: item.payload)
  }
}

extension String {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) { self.init(decoding: bytes, as: UTF8.self) }
}
